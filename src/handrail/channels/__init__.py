"""Ways to reach people outside Handrail, and the loop that empties the outbox through them."""
