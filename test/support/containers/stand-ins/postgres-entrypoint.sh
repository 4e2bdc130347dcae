# As the official image: root gives the volume to postgres, who makes the cluster where there is none.
set -e
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA" && chown -R postgres: /var/lib/postgresql /var/run/postgresql && chmod 700 "$PGDATA"
  exec setpriv --reuid=postgres --regid=postgres --init-groups bash "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  initdb --username="$POSTGRES_USER" --pwfile=<(echo "$POSTGRES_PASSWORD") $POSTGRES_INITDB_ARGS
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  echo "listen_addresses = '*'" >> "$PGDATA/postgresql.conf"
  pg_ctl -w -o '-c listen_addresses=' start
  createdb -U "$POSTGRES_USER" "$POSTGRES_DB" || [ "$POSTGRES_DB" = postgres ]
  pg_ctl -w -m fast stop
fi
exec "$@"
