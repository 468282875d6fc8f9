"""The wire: what requests carry and what answers show, a module a subject. Unknown fields are refused."""
