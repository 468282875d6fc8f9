"""What is released: the third-party components of Handrail, as an SBOM and as a licence report."""
