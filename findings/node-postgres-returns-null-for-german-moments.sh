#!/usr/bin/env bash
# pg 8.23.1 with postgres-date and postgres-interval (npm), postgres 3.4.7 (npm) and psycopg2 2.9.5 (Debian python3-psycopg2), on
# PostgreSQL 15 (Debian postgresql-15)
# Expected: DateStyle and IntervalStyle are how moments are shown. A driver returns the same moment and the same span whatever an
# administrator chose for the database, or fails.
# Actual: with DateStyle 'German' or 'SQL, DMY' pg returns null for each moment and each day, without an error: a row with
# cancelled_at looks like one without. With IntervalStyle iso_8601, 90 minutes are an empty object, whose hours and minutes are
# undefined. postgres returns an invalid date, which is not null. psycopg2 is right: it sets DateStyle for its session.
# Source: postgresql.org, "Date/Time Output"; postgres-date returns null for what it does not know, postgres-interval skips it;
# psycopg's connection_int.c (conn_setup).
# Why it matters: alter database … set datestyle is a setting for people who read tables in psql. "is not null" in SQL and
# "!== null" in the program then disagree: bookings that were cancelled have a place, deadlines never come. A driver's
# user has to set both in each connection.
set -euo pipefail
bin=/usr/lib/postgresql/15/bin
[ -x "$bin/initdb" ] || apt-get install -y -qq --no-install-recommends postgresql-15 >/dev/null
python=/usr/bin/python3
"$python" -c 'import psycopg2' 2>/dev/null || apt-get install -y -qq --no-install-recommends python3-psycopg2 >/dev/null
folder=$(mktemp -d)
as() { if [ "$(id -u)" = 0 ]; then su nobody -s /bin/bash -c "$*"; else bash -c "$*"; fi; }
trap 'as "$bin/pg_ctl -D $folder/data -m immediate stop >/dev/null 2>&1" || true; rm -rf "$folder"' EXIT
[ "$(id -u)" != 0 ] || chown nobody "$folder"
as "$bin/initdb -D $folder/data -U postgres -A trust -E UTF8 --locale=C.UTF-8 >/dev/null"
as "$bin/pg_ctl -D $folder/data -o \"-k $folder -c listen_addresses=''\" -w -l $folder/log start >/dev/null"
ask() { psql -h "$folder" -U postgres -Atqc "$1"; }
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent pg@8.23.1 postgres@3.4.7
cat >read.mjs <<'JS'
import pg from 'pg'
import postgres from 'postgres'
const question = "select timestamptz '2026-12-01 17:00Z' as moment, interval '90 minutes' as span"
const client = new pg.Client({ host: process.cwd(), user: 'postgres', database: 'postgres' })
await client.connect()
const read = (await client.query(question)).rows[0]
console.log('pg', read.moment?.toISOString() ?? read.moment, JSON.stringify(read.span))
await client.end()
const sql = postgres({ path: `${process.cwd()}/.s.PGSQL.5432`, user: 'postgres', database: 'postgres' })
const [{ moment }] = await sql.unsafe(question)
console.log('postgres', Number.isNaN(Number(moment)) ? 'no date' : moment.toISOString())
await sql.end()
JS
cat >read.py <<'PY'
import os, psycopg2
connection = psycopg2.connect(host=os.getcwd(), user='postgres', dbname='postgres')
cursor = connection.cursor()
try:
    cursor.execute("select timestamptz '2026-12-01 17:00Z'")
    print('psycopg2', cursor.fetchone()[0].isoformat())
except Exception as error:
    print('psycopg2', type(error).__name__)
PY
npm ls | tail -n +2
dpkg-query -W python3-psycopg2 postgresql-15
found=$(for styles in 'ISO, DMY/postgres' 'SQL, DMY/iso_8601' 'German/sql_standard'; do
  ask "alter database postgres set datestyle = '${styles%/*}'"
  ask "alter database postgres set intervalstyle = '${styles#*/}'"
  ask "alter database postgres set timezone = 'Europe/Berlin'"
  echo "$styles"
  TZ=Europe/Berlin node read.mjs
  TZ=Europe/Berlin "$python" read.py
done)
echo "$found"
[ "$found" = 'ISO, DMY/postgres
pg 2026-12-01T17:00:00.000Z {"hours":1,"minutes":30}
postgres 2026-12-01T17:00:00.000Z
psycopg2 2026-12-01T18:00:00+01:00
SQL, DMY/iso_8601
pg null {}
postgres no date
psycopg2 2026-12-01T18:00:00+01:00
German/sql_standard
pg null {"hours":1,"minutes":30}
postgres no date
psycopg2 2026-12-01T18:00:00+01:00' ]
