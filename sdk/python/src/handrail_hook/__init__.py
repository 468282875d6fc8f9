"""The program that a coding agent's hook runs before and after each tool call.

It is small and uses the standard library alone, because an agent starts it for every call: 0.1 s to the request, of
which half is Python's own start. `handrail_sdk`, with its HTTP library, would take three times as long.
"""
