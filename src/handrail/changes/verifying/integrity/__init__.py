"""Whether a change made its own proof weaker: tests, what they assert, and the settings that choose and judge them."""
