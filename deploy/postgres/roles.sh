#!/bin/sh
# Run once by the image of PostgreSQL on an empty volume: the role with which web servers and workers connect.
# A drill makes a database of its own. Elsewhere, and on a volume that exists:
# CREATE ROLE heldout_service LOGIN CREATEDB PASSWORD '…'
set -eu
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 \
  --set password="$(cat /run/secrets/service_password)" <<'SQL'
CREATE ROLE heldout_service LOGIN CREATEDB PASSWORD :'password';
SQL
