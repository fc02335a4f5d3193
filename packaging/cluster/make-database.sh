#!/bin/sh
# For the image of PostgreSQL at its first start: the portal's role owns its database, and is no superuser.
set -eu
psql --username postgres --set=password="$(cat /run/secrets/database-password)" <<'END'
create role portal login password :'password';
create database portal owner portal encoding 'UTF8' template template0;
END
