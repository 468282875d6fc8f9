#!/bin/sh
# The first start makes the cluster, with a superuser and a database of POSTGRES_USER, as the entry point of the image
# that this one replaces does.
set -eu
data=/var/lib/postgresql/data
if [ ! -s "$data/PG_VERSION" ]; then
  echo "$POSTGRES_PASSWORD" > /tmp/password
  initdb --pgdata="$data" --username="$POSTGRES_USER" --pwfile=/tmp/password --auth=scram-sha-256 --encoding=UTF8
  echo "CREATE DATABASE $POSTGRES_USER" | postgres --single -D "$data" postgres
fi
exec postgres -D "$data" -c unix_socket_directories= -c listen_addresses=127.0.0.1
