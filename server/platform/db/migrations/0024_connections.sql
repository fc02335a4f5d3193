-- Other programs: what lets them in, and what tells them.
create table service_tokens (
  id integer generated always as identity primary key,
  name text not null,
  -- SHA-256
  token_hash bytea not null unique,
  scopes text[] not null,
  created_at timestamptz not null default clock_timestamp(),
  -- the first moment at which it no longer works
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);

create table webhooks (
  id integer generated always as identity primary key,
  name text not null,
  url text not null,
  -- what signs its calls
  secret text not null,
  kinds text[] not null,
  is_active boolean not null default true,
  created_at timestamptz not null default clock_timestamp(),
  failing_since timestamptz
);

-- Their outbox, written in the transaction of what it tells about.
create table webhook_deliveries (
  id bigint generated always as identity primary key,
  webhook_id integer not null references webhooks on delete cascade,
  event_id uuid not null default gen_random_uuid(),
  kind text not null,
  -- calls about the same thing go out in their order
  about text not null,
  -- numbers that stand for people and courses, no names
  payload jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  attempts integer not null default 0,
  due_at timestamptz not null default clock_timestamp(),
  -- until then somebody is sending it
  taken_until timestamptz,
  sent_at timestamptz,
  given_up_at timestamptz,
  last_status integer,
  last_error text not null default ''
);
create index on webhook_deliveries (due_at, id) where sent_at is null and given_up_at is null;
create index on webhook_deliveries (webhook_id, about, id) where sent_at is null and given_up_at is null;
create index on webhook_deliveries (webhook_id, id);
create index on webhook_deliveries (created_at);

create function note_booking_event() returns trigger language plpgsql as $$
declare event text;
begin
  event := case
    when tg_op = 'INSERT' then case when new.state = 1 then 'booking' else 'waiting-list' end
    when new.cancelled_at is not null and old.cancelled_at is null then 'cancellation'
    when new.cancelled_at is null and new.state = 1 and old.state = 2 then 'promotion' end;
  if event is null then return null; end if;
  insert into webhook_deliveries (webhook_id, kind, about, payload)
  select w.id, event, 'booking ' || new.course_id || ' ' || new.web_user_id, jsonb_build_object(
    'bookingId', new.id, 'courseId', new.course_id, 'webUserId', new.web_user_id,
    'bookingStatus', case when new.cancelled_at is not null then 0 else new.state end)
  from webhooks w where w.is_active and event = any(w.kinds);
  return null;
end $$;
create trigger note_booking_event after insert or update of state, cancelled_at on bookings
for each row execute function note_booking_event();

create function note_course_event() returns trigger language plpgsql as $$
begin
  insert into webhook_deliveries (webhook_id, kind, about, payload)
  select w.id, 'course-changed', 'course ' || new.id, jsonb_build_object(
    'courseId', new.id, 'number', new.number, 'version', new.version, 'cancelled', new.cancelled_at is not null)
  from webhooks w where w.is_active and 'course-changed' = any(w.kinds);
  return null;
end $$;
-- Versions grow with acts and imports alone.
create trigger note_course_event after update of version on courses
for each row when (old.version is distinct from new.version) execute function note_course_event();
