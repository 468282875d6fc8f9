# Debian's PostgreSQL and Caddy, in place of the images of the compose file, which only a registry has
FROM debian:bookworm-slim
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends caddy postgresql-15 \
 && rm -rf /var/lib/apt/lists/* \
 && install --directory --owner=postgres --group=postgres --mode=0700 /var/lib/postgresql/data
COPY database.sh /usr/local/bin/
ENV PATH=/usr/lib/postgresql/15/bin:/usr/local/bin:/usr/bin:/bin
