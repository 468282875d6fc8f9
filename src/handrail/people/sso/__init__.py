"""Company sign-in: people come from an OpenID Connect provider, and get their roles from its groups."""
