"""Code changes over Socket.IO: what happens in a change as it happens, and what people say to it."""
