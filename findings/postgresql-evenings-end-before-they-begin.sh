#!/usr/bin/env bash
# psycopg2 2.9.5, Sequel 5.63.0 and the JDBC driver 42.5.5 (Debian python3-psycopg2, ruby-sequel, libpostgresql-jdbc-java) beside pg 8.23.1
# (npm), on PostgreSQL 15 (Debian postgresql-15)
# Expected: a course from 22:00 to 24:00 ends after it begins, for each driver, or the driver fails. PostgreSQL has 24:00 as the last
# time of a day; there "end" - "start" is two hours.
# Actual: for psycopg2 and Sequel it ends at 00:00, 22 hours before it begins. The JDBC driver gives two answers for one cell: a
# LocalTime of 23:59:59.999999999 and a java.sql.Time of 00:00:00. Written back, each is another time than before. pg returns the
# text 24:00:00. A timestamp is right everywhere, because PostgreSQL makes the next day of it: 2026-11-24 24:00 is 2026-11-25 00:00.
# Source: PostgreSQL manual, table 8.9 (time: 00:00:00 to 24:00:00); issue 278 of psycopg2 and 564 of psycopg (open; psycopg 3 fails); pull
# requests 1049 and 1394 of pgjdbc (open).
# Why it matters: opening hours and evening courses end at 24:00, and check (ends_at > starts_at) in the database accepts them and
# nothing else at midnight. In the program the same condition is false: the course is left out of the plan, its hours are
# negative in a sum, or the hall is free in the evening. A check (ends_at < '24:00') keeps the value out.
set -euo pipefail
bin=/usr/lib/postgresql/15/bin
[ -x "$bin/initdb" ] || apt-get install -y -qq --no-install-recommends postgresql-15 >/dev/null
/usr/bin/python3 -c 'import psycopg2' 2>/dev/null || apt-get install -y -qq --no-install-recommends python3-psycopg2 >/dev/null
/usr/bin/ruby -rsequel -rpg -e '' 2>/dev/null || apt-get install -y -qq --no-install-recommends ruby-sequel ruby-pg >/dev/null
command -v javac >/dev/null || apt-get install -y -qq --no-install-recommends default-jdk-headless >/dev/null
[ -e /usr/share/java/postgresql.jar ] || apt-get install -y -qq --no-install-recommends libpostgresql-jdbc-java >/dev/null
folder=$(mktemp -d)
as() { if [ "$(id -u)" = 0 ]; then su nobody -s /bin/bash -c "$*"; else bash -c "$*"; fi; }
trap 'as "$bin/pg_ctl -D $folder/data -m immediate stop >/dev/null 2>&1" || true; rm -rf "$folder"' EXIT
[ "$(id -u)" != 0 ] || chown nobody "$folder"
port=$(/usr/bin/python3 -c "import socket; one = socket.socket(); one.bind(('127.0.0.1', 0)); print(one.getsockname()[1])")
as "$bin/initdb -D $folder/data -U postgres -A trust -E UTF8 --locale=C.UTF-8 >/dev/null"
as "$bin/pg_ctl -D $folder/data -o \"-k $folder -c listen_addresses=127.0.0.1 -p $port\" -w -l $folder/log start >/dev/null"
export PGHOST=127.0.0.1 PGPORT=$port PGUSER=postgres PGDATABASE=postgres
psql -qc "create table courses (starts_at time, ends_at time, check (ends_at > starts_at));
  insert into courses values ('22:00', '24:00')"
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent --save-exact pg@8.23.1
cat >read.mjs <<'JS'
import pg from 'pg'
const client = new pg.Client()
await client.connect()
const { starts_at, ends_at } = (await client.query('select * from courses')).rows[0]
console.log('pg:', starts_at, ends_at)
await client.end()
JS
cat >read.py <<'PY'
import psycopg2
rows = psycopg2.connect('').cursor()
rows.execute('select * from courses')
print('psycopg2:', *rows.fetchone())
PY
cat >read.rb <<'RUBY'
require 'sequel'
row = Sequel.connect(adapter: 'postgres', host: ENV['PGHOST'], port: ENV['PGPORT'], user: 'postgres', database: 'postgres')[:courses].first
puts "Sequel: #{row[:starts_at]} #{row[:ends_at]}"
RUBY
cat >Read.java <<'JAVA'
import java.sql.DriverManager;
import java.time.LocalTime;

public class Read {
    public static void main(String[] url) throws Exception {
        try (var connection = DriverManager.getConnection(url[0], "postgres", "")) {
            var row = connection.createStatement().executeQuery("select * from courses");
            row.next();
            System.out.println("JDBC LocalTime: " + row.getObject(1, LocalTime.class) + " " + row.getObject(2, LocalTime.class));
            System.out.println("JDBC Time: " + row.getTime(1) + " " + row.getTime(2));
        }
    }
}
JAVA
javac Read.java
"$bin/postgres" --version
npm ls | tail -n +2
dpkg-query -W python3-psycopg2 ruby-sequel libpostgresql-jdbc-java
found=$(
  echo "PostgreSQL: $(psql -Atqc "select ends_at - starts_at from courses")"
  node read.mjs
  /usr/bin/python3 read.py
  TZ=Europe/Berlin /usr/bin/ruby read.rb
  TZ=Europe/Berlin java -cp /usr/share/java/postgresql.jar:. Read "jdbc:postgresql://127.0.0.1:$port/postgres"
)
echo "$found"
[ "$found" = 'PostgreSQL: 02:00:00
pg: 22:00:00 24:00:00
psycopg2: 22:00:00 00:00:00
Sequel: 22:00:00 00:00:00
JDBC LocalTime: 22:00 23:59:59.999999999
JDBC Time: 22:00:00 00:00:00' ]
