-- What is shown of a line of the audit log, and what it is searched by, is computed from the text that was hashed.
drop index office_record_kind_number_idx;
drop index office_record_acted_at_idx;
alter table office_record drop column acted_at, drop column kind, drop column actor_id;
alter table office_record
  add column kind text not null generated always as (line::json ->> 'kind') stored,
  add column actor_id integer generated always as ((line::json ->> 'actorId')::integer) stored,
  -- ISO 8601 in UTC. A cast to timestamptz would depend on settings of the session.
  add column acted_at timestamptz not null generated always as (
    make_timestamp(
      substr(line::json ->> 'at', 1, 4)::integer, substr(line::json ->> 'at', 6, 2)::integer,
      substr(line::json ->> 'at', 9, 2)::integer, substr(line::json ->> 'at', 12, 2)::integer,
      substr(line::json ->> 'at', 15, 2)::integer, substr(line::json ->> 'at', 18, 6)::double precision)
    at time zone 'UTC') stored;
create index on office_record (kind, number);
create index on office_record (acted_at);
