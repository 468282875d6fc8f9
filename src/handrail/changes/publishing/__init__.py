"""Publishes an approved change and nothing else: push, pull request, attestation."""
