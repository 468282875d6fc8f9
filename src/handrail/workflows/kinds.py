"""The code graph and the demos, as the engine runs them."""
# annotations are read when the schema is made, so they are not postponed

from typing import Annotated, Any, Final, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from handrail import extras
from handrail.engine.kinds import Kind, Kinds, Owner
from handrail.settings import Settings

CODE_GRAPH: Final = "code_graph"


class GraphInput(TypedDict):
    repo_url: str
    fan_threshold: NotRequired[Annotated[int, Field(ge=0)]]
    include_features: NotRequired[bool]
    format: NotRequired[Literal["json", "mermaid"]]


def kinds() -> Kinds:
    return Kinds(
        (
            Kind(
                CODE_GRAPH,
                _code_graph,
                "The graph of a repository's code: modules, symbols, endpoints and what connects them.",
                example={"repo_url": "https://github.com/pallets/flask"},
                input=GraphInput,
                owner=Owner.ours,
            ),
            Kind(
                "demo-deploy",
                _deploy,
                "Demo: a deployment that two people must approve.",
                example={"messages": [{"role": "user", "content": "Deploy shop 1.4.2 to production"}]},
            ),
            Kind(
                "demo-refund",
                _refund,
                "Demo: a refund whose amount a person amends.",
                example={"messages": [{"role": "user", "content": "Refund order 4711"}]},
            ),
            Kind(
                "demo-export",
                _export,
                "Demo: an export of personal data that escalates.",
                example={"messages": [{"role": "user", "content": "Export the addresses of all customers"}]},
            ),
        )
    )


def _code_graph(_settings: Settings) -> Any:
    extras.require("code")
    from handrail.workflows import code_graph

    return code_graph.graph()


def _deploy(_settings: Settings) -> Any:
    from handrail.workflows import demo

    return demo.deploy()


def _refund(_settings: Settings) -> Any:
    from handrail.workflows import demo

    return demo.refund()


def _export(_settings: Settings) -> Any:
    from handrail.workflows import demo

    return demo.export()
