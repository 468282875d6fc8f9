"""A question about the code: its answer, and diagrams in it, drawn without running anything of theirs."""

from __future__ import annotations

from collections.abc import Callable

from browser import Visitor, barriers
from change_desk import LONG_MS, Desk, reloaded, start
from change_scripts import INTENT, call
from playwright.sync_api import expect

ANSWER = """Prices become cents in `money.py:1`:

```mermaid
flowchart LR
  subgraph shop["shop"]
    a["money.py"]
    b("cart.total")
  end
  b -->|uses| a
  c{{"GET /cart"}} ==> b
  d["#60;img src=x onerror=alert(1)#62;"] -.-> a
  a --> e[("prices")]
```

and are asked for like this:

```mermaid
sequenceDiagram
  participant B as Browser
  B->>Shop: GET /cart
  alt in stock
    Shop->>Shop: add up
    Shop-->>B: 200
  else
    Shop--xB: 404
  end
  Note over B,Shop: no cent is lost
```

The classes and the states of a cart:

```mermaid
classDiagram
  class Cart {
    +items
    +total()
  }
  Cart "1" *-- "many" Line : holds
  PaidCart --|> Cart
```

```mermaid
stateDiagram-v2
  [*] --> open
  open --> paid: the customer pays
  open --> [*]: given up
  state paid {
    [*] --> packed
    packed --> sent
  }
  paid --> [*]
```

```mermaid
mindmap
  not a root
  nor another
```
"""


def test_a_diagram_is_drawn_and_its_text_stays_text(enter: Callable[..., Visitor], desk: Desk) -> None:
    desk.script(intent=[call("submit_intent", **{**INTENT, "category": "diagram"})], answer=[{"say": ANSWER}])
    page = enter("Dev", path="/changes/start").page
    chunks: list[str] = []
    page.on("request", lambda request: chunks.append(request.url))
    start(page, desk.address(desk.hosted()), "Draw how prices become cents.")
    drawn = page.get_by_role("figure", name="Diagram", exact=True)
    expect(page.get_by_role("list", name="Stages")).to_be_visible()
    assert not any("/Diagram-" in url for url in chunks), "loaded where there is no diagram"
    expect(drawn).to_have_count(4, timeout=LONG_MS)
    reloaded(page, lambda: expect(drawn.first.locator("svg")).to_contain_text("<img src=x onerror=alert(1)>"))
    answer = page.get_by_role("group", name="Answer")
    expect(answer.locator("img, script, foreignObject, svg a")).to_have_count(0)
    expect(drawn.first).to_contain_text("cart.total to money.py (uses)")
    # what is not known is not drawn by halves
    expect(answer.get_by_text("This diagram cannot be drawn here.")).to_be_visible()
    assert barriers(page) == []
