"""A LangChain agent with the policy in front of its tools. Its model follows a script; put any chat model in its place.

handrail runs start assistant '{"messages": [{"role": "user", "content": "Tell Ada that the build is green"}]}'
"""
# LangChain is typed in part
# pyright: reportUnknownVariableType=false

from langchain.agents import create_agent
from langchain_core.tools import tool

from handrail.models.scripted import Call, ScriptedModel, Step
from handrail_sdk.langgraph.middleware import PolicyMiddleware


@tool
def send_message(to: str, text: str) -> str:
    """Sends a message to somebody."""
    return f"{to} was told: {text}"


model = ScriptedModel(
    steps=[
        Step(
            think="Ada should know.",
            calls=[Call(name="send_message", args={"to": "Ada", "text": "The build is green"})],
        ),
        Step(say="Ada knows."),
    ]
)
agent = create_agent(model, [send_message], middleware=[PolicyMiddleware()])
