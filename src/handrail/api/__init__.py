"""REST and streams over HTTP: identity, problem details, routes by subject."""
