"""Documents to text, sections, tables and chunks that can be searched by meaning."""
