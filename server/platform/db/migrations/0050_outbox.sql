-- One outbox for mails, pushes and webhook calls. Mails keep their ids, because Message-IDs and file names contain them.
lock table mails, pushes, webhook_deliveries in access exclusive mode;

alter table mails rename to outbox;
alter sequence mails_id_seq rename to outbox_id_seq;
alter index mails_pkey rename to outbox_pkey;
alter index mails_web_user_id_idx rename to outbox_web_user_id_idx;
alter table outbox
  alter column recipient drop not null,
  alter column language drop not null,
  add column channel text not null default 'mail',
  -- pushes
  add column alert_id bigint references alerts on delete cascade,
  add column subscription_id bigint references push_subscriptions on delete cascade,
  -- webhook calls: `about` identifies the object whose calls are sent in order
  add column webhook_id integer references webhooks on delete cascade,
  add column event_id uuid,
  add column about text,
  -- HTTP status of the latest attempt
  add column last_status integer,
  add constraint outbox_channel check (case channel
    when 'mail' then recipient is not null and language is not null
    when 'push' then alert_id is not null and subscription_id is not null
    when 'webhook' then webhook_id is not null and event_id is not null and about is not null
    else false end);

-- `due_at` of a leased row is the end of its lease; 'infinity': given up.
insert into outbox (channel, kind, alert_id, subscription_id, created_at, attempts, due_at, sent_at)
select 'push', a.kind, p.alert_id, p.subscription_id, a.created_at, p.attempts, p.due_at, p.sent_at
from pushes p join alerts a on a.id = p.alert_id order by p.id;

-- Event names with dots, as Standard Webhooks recommends.
create temporary table event_names (earlier, name) on commit drop as values
  ('booking', 'booking.created'), ('waiting-list', 'booking.waitlisted'), ('promotion', 'booking.promoted'),
  ('cancellation', 'booking.cancelled'), ('course-changed', 'course.changed');
update webhooks set kinds = array(
  select coalesce(e.name, earlier) from unnest(kinds) with ordinality k (earlier, at) left join event_names e using (earlier)
  order by at);

insert into outbox (channel, kind, payload, webhook_id, event_id, about, created_at, attempts, due_at, sent_at, last_status, last_error)
select 'webhook', coalesce(e.name, kind), payload, webhook_id, event_id, about, created_at, attempts,
  case when given_up_at is null then greatest(due_at, taken_until) else 'infinity' end, sent_at, last_status, last_error
from webhook_deliveries d left join event_names e on e.earlier = d.kind order by id;

drop table pushes, webhook_deliveries;

drop index mails_due;
create index outbox_due on outbox (channel, is_urgent desc, due_at, id) where sent_at is null;
create unique index on outbox (alert_id, subscription_id) where alert_id is not null;
create index on outbox (subscription_id) where subscription_id is not null;
create index on outbox (webhook_id, id) where webhook_id is not null;
create index on outbox (webhook_id, about, id) where sent_at is null and webhook_id is not null;

create view mails as
select id, web_user_id, recipient, language, kind, payload, created_at, attempts, due_at, sent_at, last_error, is_urgent, again_at
from outbox where channel = 'mail';

create or replace function note_new_bookings() returns trigger language plpgsql as $$
begin
  if not exists (select from webhooks w where w.is_active) then return null; end if;
  insert into outbox (channel, webhook_id, event_id, kind, about, payload)
  select 'webhook', w.id, gen_random_uuid(), b.event, 'booking ' || b.course_id || ' ' || b.web_user_id, jsonb_build_object(
    'bookingId', b.id, 'courseId', b.course_id, 'webUserId', b.web_user_id,
    'bookingStatus', case when b.cancelled_at is not null then 0 else b.state end)
  from (select *, case state when 1 then 'booking.created' else 'booking.waitlisted' end as event from added) b
    join webhooks w on w.is_active and b.event = any(w.kinds)
  order by b.id, w.id;
  return null;
end $$;

create or replace function note_changed_bookings() returns trigger language plpgsql as $$
begin
  if not exists (select from webhooks w where w.is_active) then return null; end if;
  insert into outbox (channel, webhook_id, event_id, kind, about, payload)
  select 'webhook', w.id, gen_random_uuid(), b.event, 'booking ' || b.course_id || ' ' || b.web_user_id, jsonb_build_object(
    'bookingId', b.id, 'courseId', b.course_id, 'webUserId', b.web_user_id,
    'bookingStatus', case when b.cancelled_at is not null then 0 else b.state end)
  from (
    select n.*, case
      when n.cancelled_at is not null and o.cancelled_at is null then 'booking.cancelled'
      when n.cancelled_at is null and n.state = 1 and o.state = 2 then 'booking.promoted' end as event
    from is_now n join was_before o using (id)) b
    join webhooks w on w.is_active and b.event = any(w.kinds)
  order by b.id, w.id;
  return null;
end $$;

create or replace function note_course_event() returns trigger language plpgsql as $$
begin
  insert into outbox (channel, webhook_id, event_id, kind, about, payload)
  select 'webhook', w.id, gen_random_uuid(), 'course.changed', 'course ' || new.id, jsonb_build_object(
    'courseId', new.id, 'number', new.number, 'version', new.version, 'cancelled', new.cancelled_at is not null)
  from webhooks w where w.is_active and 'course.changed' = any(w.kinds);
  return null;
end $$;
