# What an operator names in HANDRAIL_SANDBOX_IMAGE: Python, and nothing of Handrail
FROM debian:bookworm-slim
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends python3 \
 && rm -rf /var/lib/apt/lists/*
