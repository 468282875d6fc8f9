"""What reads a document. It runs inside the sandbox, so it imports nothing of Handrail; its answer may be forged by the
document, and who reads that answer trusts nothing of it."""
