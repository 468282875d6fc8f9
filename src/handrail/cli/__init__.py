"""The command line: client commands over HTTP, and the commands that run the server."""
