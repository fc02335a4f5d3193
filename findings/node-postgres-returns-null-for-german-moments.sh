#!/usr/bin/env bash
# pg 8.23.1 with postgres-date and postgres-interval (npm), postgres 3.4.7 (npm) and psycopg2 2.9.5 (Debian python3-psycopg2), on
# PostgreSQL 15 (Debian postgresql-15)
# Expected: DateStyle and IntervalStyle are how moments are shown. A driver returns the same moment and the same span whatever an
# administrator chose for the database, or fails.
# Actual: with DateStyle 'German' or 'SQL, DMY' pg returns null for a moment and for a day, without an error: a row with cancelled_at
# looks like one without. With IntervalStyle iso_8601, 90 minutes are an empty object. postgres gives the text to new Date():
# in Europe/Berlin the moment is an invalid date, because Node knows no CET; in UTC 1 December is 12 January, a valid date. psycopg2
# is right: it sets DateStyle for its session.
# Source: postgresql.org, "Date/Time Output"; issues 471 and 551 of node-postgres (null, closed), 2640 (moments that are sent, open) and
# 3156 (intervals, open); issue 9 of postgres-interval; psycopg's connection_int.c (conn_setup).
# Why it matters: alter database … set datestyle is a setting for people who read tables in psql. "is not null" in SQL and
# "!== null" in the program then disagree: bookings that were cancelled have a place, deadlines never come, or come in another month.
# A driver's user has to set both in each connection.
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
const question = "select timestamptz '2026-12-01 17:00Z' as moment, date '2026-12-01' as day, interval '90 minutes' as span"
const client = new pg.Client({ host: process.cwd(), user: 'postgres', database: 'postgres' })
await client.connect()
const read = (await client.query(question)).rows[0]
const show = date => (date === null ? 'null' : Number.isNaN(Number(date)) ? 'invalid' : date.toISOString())
console.log('pg', show(read.moment), read.day && read.day.toDateString(), JSON.stringify(read.span))
await client.end()
const sql = postgres({ path: `${process.cwd()}/.s.PGSQL.5432`, user: 'postgres', database: 'postgres' })
const [{ moment }] = await sql.unsafe(question)
console.log('postgres', show(moment))
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
found=$(for zone in Europe/Berlin UTC; do
  for styles in 'ISO, DMY/postgres' 'SQL, DMY/iso_8601' 'German/sql_standard'; do
    ask "alter database postgres set datestyle = '${styles%/*}'"
    ask "alter database postgres set intervalstyle = '${styles#*/}'"
    ask "alter database postgres set timezone = '$zone'"
    echo "$styles, $zone"
    TZ=$zone node read.mjs
    TZ=$zone "$python" read.py
  done
done)
echo "$found"
[ "$found" = 'ISO, DMY/postgres, Europe/Berlin
pg 2026-12-01T17:00:00.000Z Tue Dec 01 2026 {"hours":1,"minutes":30}
postgres 2026-12-01T17:00:00.000Z
psycopg2 2026-12-01T18:00:00+01:00
SQL, DMY/iso_8601, Europe/Berlin
pg null null {}
postgres invalid
psycopg2 2026-12-01T18:00:00+01:00
German/sql_standard, Europe/Berlin
pg null null {"hours":1,"minutes":30}
postgres invalid
psycopg2 2026-12-01T18:00:00+01:00
ISO, DMY/postgres, UTC
pg 2026-12-01T17:00:00.000Z Tue Dec 01 2026 {"hours":1,"minutes":30}
postgres 2026-12-01T17:00:00.000Z
psycopg2 2026-12-01T17:00:00+00:00
SQL, DMY/iso_8601, UTC
pg null null {}
postgres 2026-01-12T17:00:00.000Z
psycopg2 2026-12-01T17:00:00+00:00
German/sql_standard, UTC
pg null null {"hours":1,"minutes":30}
postgres 2026-01-12T17:00:00.000Z
psycopg2 2026-12-01T17:00:00+00:00' ]
