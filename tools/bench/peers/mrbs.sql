-- A weekly programme of 2,072 entries with registration in 40 rooms, from today on, for an empty MRBS on PostgreSQL.
-- MRBS shows its first page only once there is a user.
\set entries 2072
\set rooms 40
insert into mrbs_users (level, name, display_name, password_hash, email)
values (2, 'admin', 'admin', '', 'admin@mrbs.example');
insert into mrbs_area (area_name, timezone, resolution, default_duration, morningstarts, morningstarts_minutes,
  eveningends, eveningends_minutes)
values ('Sport', 'Europe/Berlin', 1800, 3600, 7, 0, 21, 30);
insert into mrbs_room (area_id, room_name, sort_key, capacity)
select 1, 'Halle ' || room, lpad(room::text, 3, '0'), 20 from generate_series(1, :rooms) room;
insert into mrbs_entry (start_time, end_time, room_id, create_by, name, type, description, allow_registration,
  registrant_limit)
select starts, starts + 3600, 1 + number / 7 % :rooms, 'admin', 'Pilates Grundkurs ' || number, 'E', 'Kurs ' || number,
  1, 20
from generate_series(0, :entries - 1) number,
  lateral (select extract(epoch from date_trunc('day', now(), 'Europe/Berlin'))::int
    + number % 7 * 86400 + 7 * 3600 + number / 7 / :rooms * 5400 as starts) lesson;
