"""Skills: registered from outside, scanned, decided on by people, found by what they do."""
