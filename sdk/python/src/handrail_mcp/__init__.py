"""Handrail in front of MCP servers: policy and holds for their tools, and nothing else changed.

Messages pass as they are, as JSON objects; only tools are listed and called differently. `mcp`, whose import takes
longer than everything else here, is used for HTTP alone.
"""
