"""A skill's Markdown as HTML that is safe to show: no scripts, no styles, no pictures from elsewhere."""

from __future__ import annotations

import nh3
from markdown_it import MarkdownIt

# hostile brackets take 30 µs each
LONGEST = 100_000
TAGS = {
    *("a", "blockquote", "br", "code", "del", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre"),
    *("strong", "table", "tbody", "td", "th", "thead", "tr", "ul"),
}


def html(markdown: str) -> str:
    """Raw HTML in the text is shown as text; links say that they lead away, and only to pages. A very long text is
    shown as it is written."""
    if len(markdown) > LONGEST:
        return f"<pre>{nh3.clean_text(markdown)}</pre>"
    made: str = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).render(markdown)
    return nh3.clean(
        made,
        tags=TAGS,
        attributes={"a": {"href", "title"}, "code": {"class"}},
        url_schemes={"http", "https"},
        link_rel="noopener noreferrer nofollow",
    )
