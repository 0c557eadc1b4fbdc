#!/bin/sh
# The roles of the database: the owner of the tables, with which `migrate` alone connects, and those with which processes
# do. Run by the image of PostgreSQL on an empty volume, and by deploy/install; twice is once. A drill makes a database
# of its own, hence CREATEDB.
#
# heldout_NAME for each of them, with the password in the file NAME_password:
ROLES="web worker"
set -eu
secrets=${SECRETS:-/run/secrets}
psql=${PSQL:-psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB"}

role() {
  password=$(sed "s/'/''/g" "$secrets/$2")
  cat <<SQL
SELECT 'CREATE ROLE $1 LOGIN CREATEDB' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '$1') \gexec
ALTER ROLE $1 PASSWORD '$password';
SQL
}

sql=$(
  role heldout owner_password
  for name in $ROLES; do role "heldout_$name" "${name}_password"; done
  cat <<'SQL'
SELECT 'CREATE DATABASE heldout OWNER heldout' WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'heldout') \gexec
SQL
)
printf '%s\n' "$sql" | $psql --quiet --no-psqlrc --set ON_ERROR_STOP=1
