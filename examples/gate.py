"""Runs a function only when this exact call is approved, with the arguments as people amended them.

Decide in another terminal: `handrail pending`, `handrail approve ID` or `handrail reject ID`.
"""

from handrail_sdk import NotAllowed, gate


@gate(
    title=lambda call: f"Deploy {call['service']} {call['version']} to {call['environment']}",
    target="service",
)
def deploy(service: str, version: str, environment: str = "staging") -> str:
    return f"{service} {version} runs in {environment}"


def main() -> None:
    try:
        print(deploy("shop", "1.4.2"))
    except NotAllowed as no:
        print(f"left alone: {no}")


if __name__ == "__main__":
    main()
