# What the registry's image does at its start, as far as compose.yaml relies on it.
set -e
[ "$1" = postgres ] || exec "$@"
data=/var/lib/postgresql/data
if [ "$(id -u)" = 0 ]; then
    install --directory --mode 0700 --owner postgres --group postgres "$data" /var/run/postgresql
    exec setpriv --reuid postgres --regid postgres --init-groups sh "$0" "$@"
fi
if [ ! -s "$data/PG_VERSION" ]; then
    umask 077
    printf %s "$POSTGRES_PASSWORD" > /tmp/password
    initdb --pgdata "$data" --username "$POSTGRES_USER" --pwfile /tmp/password \
        --auth-local trust --auth-host scram-sha-256 --encoding UTF8
    rm /tmp/password
    echo "host all all all scram-sha-256" >> "$data/pg_hba.conf"
    pg_ctl --pgdata "$data" --options "-c listen_addresses=''" --wait start
    createdb --username "$POSTGRES_USER" "$POSTGRES_DB"
    for file in /docker-entrypoint-initdb.d/*.sql; do
        psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 --file "$file"
    done
    pg_ctl --pgdata "$data" --wait stop
fi
exec postgres -D "$data" -c listen_addresses='*'
