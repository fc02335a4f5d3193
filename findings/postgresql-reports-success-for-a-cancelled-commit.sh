#!/usr/bin/env bash
# PostgreSQL 15 (Debian postgresql-15) with synchronous replication, pg 8.23.1 (npm) and psycopg2 2.9.5 (Debian python3-psycopg2)
# Expected: with synchronous_standby_names set and no standby there, a commit that is given up is an error: statement_timeout ends
# it, or whoever cancels it (a driver's time limit, an administrator, pg_cancel_backend), and the program hears that it failed.
# Actual: statement_timeout has no effect, the commit waits. Cancelled, it succeeds: pg resolves with one row inserted, psycopg2's
# commit() returns. The only sign is a warning, which pg gives to nobody without a listener for 'notice', and psycopg2 puts in a
# list. The row is there for everybody from then on, and is lost when the standby takes over.
# Source: PostgreSQL manual, 27.2.8 (Synchronous Replication; nothing of cancelling); SyncRepWaitForLSN in syncrep.c (a warning that
# the transaction "has already committed locally"); pgsql-general, "Synchronous Commit, WAL archiving and statement_timeout" (2017).
# Why it matters: synchronous replication is bought so that nothing acknowledged is lost. A booking whose call was cancelled is
# confirmed by e-mail, and so is one that is repeated and finds its row. The routine of the warning (SyncRepWaitForLSN) is the same
# in each language of the server, so that a listener can make an error of it.
set -euo pipefail
bin=/usr/lib/postgresql/15/bin
[ -x "$bin/initdb" ] || apt-get install -y -qq --no-install-recommends postgresql-15 >/dev/null
python=/usr/bin/python3
"$python" -c 'import psycopg2' 2>/dev/null || apt-get install -y -qq --no-install-recommends python3-psycopg2 >/dev/null
folder=$(mktemp -d)
as() { if [ "$(id -u)" = 0 ]; then su nobody -s /bin/bash -c "$*"; else bash -c "$*"; fi; }
trap 'as "$bin/pg_ctl -D $folder/data -m immediate stop >/dev/null 2>&1" || true; rm -rf "$folder"' EXIT
[ "$(id -u)" != 0 ] || chown nobody "$folder"
as "$bin/initdb -D $folder/data -U postgres -A trust >/dev/null"
as "$bin/pg_ctl -D $folder/data -o \"-k $folder -c listen_addresses=''\" -w -l $folder/log start >/dev/null"
ask() { psql -h "$folder" -U postgres -Atqc "$1"; }
ask 'create table bookings (name text)'
ask "alter system set synchronous_standby_names = 'standby'"
ask 'select pg_reload_conf()' >/dev/null
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent pg@8.23.1
cat >run.mjs <<'JS'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
const host = process.cwd()
const client = new pg.Client({ host, user: 'postgres', database: 'postgres', statement_timeout: 500 })
client.on('notice', ({ severity, routine }) => console.log('pg, notice:', severity, routine))
await client.connect()
const startedAt = Date.now()
let waited = 0
const inserting = client.query('insert into bookings values ($1)', ['by pg']).finally(() => (waited = Date.now() - startedAt))
await sleep(2_000)
const other = new pg.Client({ host, user: 'postgres', database: 'postgres' })
await other.connect()
const { rowCount: cancelled } = await other.query("select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'")
const { rowCount } = await inserting
console.log(`pg: ${rowCount} row inserted, ${waited > 1_900 ? 'four times the statement_timeout later' : 'in time'}, cancelled: ${cancelled}`)
await client.end()
await other.end()
JS
cat >run.py <<'PY'
import os, threading, time, psycopg2
connect = lambda: psycopg2.connect(host=os.getcwd(), user='postgres', dbname='postgres')
connection = connect()
connection.cursor().execute("insert into bookings values ('by psycopg2')")
def cancel():
    time.sleep(1)
    other = connect()
    other.cursor().execute("select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'")
threading.Thread(target=cancel).start()
connection.commit()
print('psycopg2: commit() returned,', len(connection.notices), 'notice')
PY
"$bin/postgres" --version
dpkg-query -W python3-psycopg2
npm ls | tail -n +2
found=$(
  timeout 60 node run.mjs
  timeout 60 "$python" run.py
  echo "rows: $(ask 'select string_agg(name, $$, $$ order by name) from bookings')"
)
echo "$found"
[ "$found" = 'pg, notice: WARNING SyncRepWaitForLSN
pg: 1 row inserted, four times the statement_timeout later, cancelled: 1
psycopg2: commit() returned, 1 notice
rows: by pg, by psycopg2' ]
