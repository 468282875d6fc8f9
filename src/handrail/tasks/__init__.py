"""Tasks that run once the people whom their risk level requires have approved them."""
