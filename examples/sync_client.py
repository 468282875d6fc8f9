"""Asks a question with a fixed set of answers, from a program without an event loop.

Answer in another terminal: `handrail answer ID`.
"""

from handrail_sdk import Action, Handrail


def main() -> None:
    with Handrail() as handrail:
        hold = handrail.ask(
            "input",
            "Which region should the backup go to?",
            Action("choose_region"),
            schema={"enum": ["eu-central", "us-east"]},
            description="The usual region is full.",
        )
        if hold.decision and hold.status == "answered":
            print(f"backing up to {hold.decision.answer}")
        else:
            print(f"no backup: the question was {hold.status}")


if __name__ == "__main__":
    main()
