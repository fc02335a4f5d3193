#!/usr/bin/env bash
# PostgreSQL 15 with pg_trgm (Debian 12: postgresql-15, contrib included).
# Expected: similarity() compares names letter by letter in any UTF-8 database.
# Seen: in a database created with locale C, pg_trgm takes every letter outside ASCII for a separator. "Müller" becomes
#   the words "m" and "ller", so that Müller and Möller are equal (similarity 1), and so are Ärmel and Örmel. With C.UTF-8
#   the same names differ. Case-insensitive matching (~*, ilike, lower) ignores umlauts there as well.
# Matters: typing-error search over names by trigrams finds wrong people where IT created the database with locale C,
#   which fast installations and many container images do. The extension reports nothing.
# Source: PostgreSQL manual, F.33 pg_trgm ("ignores non-word characters (non-alphanumerics)") together with 24.1 Locale Support.
set -euo pipefail
bin=/usr/lib/postgresql/15/bin
[ -x "$bin/initdb" ] || apt-get install -y -qq postgresql-15 >/dev/null
folder=$(mktemp -d)
as() { if [ "$(id -u)" = 0 ]; then su nobody -s /bin/bash -c "$*"; else bash -c "$*"; fi; }
trap 'as "$bin/pg_ctl -D $folder/data -m immediate stop >/dev/null 2>&1" || true; rm -rf "$folder"' EXIT
[ "$(id -u)" != 0 ] || chown nobody "$folder"
as "$bin/initdb -D $folder/data -U postgres -A trust --locale=C -E UTF8 >/dev/null"
as "$bin/pg_ctl -D $folder/data -o \"-k $folder -c listen_addresses=''\" -w -l $folder/log start >/dev/null"
ask() { psql -h "$folder" -U postgres -d "$1" -Atqc "$2"; }
ask postgres "create database utf8 template template0 locale 'C.UTF-8'"
query="create extension pg_trgm; select similarity('Müller', 'Möller')::numeric(3, 2), similarity('Ärmel', 'Örmel')::numeric(3, 2), 'Ä' ~* 'ä'"
c=$(ask postgres "$query") utf8=$(ask utf8 "$query")
echo "$("$bin/postgres" --version)"
echo "locale C:       similarity Müller/Möller | Ärmel/Örmel | Ä ~* ä = $c"
echo "locale C.UTF-8: similarity Müller/Möller | Ärmel/Örmel | Ä ~* ä = $utf8"
[ "$c" = '1.00|1.00|f' ] && [ "${utf8%%|*}" != 1.00 ] && [ "${utf8##*|}" = t ]
