-- Hundreds of bookings may come in one statement: it looks for webhooks once, not each of them.
drop trigger note_booking_event on bookings;
drop function note_booking_event();

create function note_new_bookings() returns trigger language plpgsql as $$
begin
  if not exists (select from webhooks w where w.is_active) then return null; end if;
  insert into webhook_deliveries (webhook_id, kind, about, payload)
  select w.id, b.event, 'booking ' || b.course_id || ' ' || b.web_user_id, jsonb_build_object(
    'bookingId', b.id, 'courseId', b.course_id, 'webUserId', b.web_user_id,
    'bookingStatus', case when b.cancelled_at is not null then 0 else b.state end)
  from (select *, case state when 1 then 'booking' else 'waiting-list' end as event from added) b
    join webhooks w on w.is_active and b.event = any(w.kinds)
  order by b.id, w.id;
  return null;
end $$;
create trigger note_new_bookings after insert on bookings referencing new table as added
for each statement execute function note_new_bookings();

create function note_changed_bookings() returns trigger language plpgsql as $$
begin
  if not exists (select from webhooks w where w.is_active) then return null; end if;
  insert into webhook_deliveries (webhook_id, kind, about, payload)
  select w.id, b.event, 'booking ' || b.course_id || ' ' || b.web_user_id, jsonb_build_object(
    'bookingId', b.id, 'courseId', b.course_id, 'webUserId', b.web_user_id,
    'bookingStatus', case when b.cancelled_at is not null then 0 else b.state end)
  from (
    select n.*, case
      when n.cancelled_at is not null and o.cancelled_at is null then 'cancellation'
      when n.cancelled_at is null and n.state = 1 and o.state = 2 then 'promotion' end as event
    from is_now n join was_before o using (id)) b
    join webhooks w on w.is_active and b.event = any(w.kinds)
  order by b.id, w.id;
  return null;
end $$;
create trigger note_changed_bookings after update on bookings referencing old table as was_before new table as is_now
for each statement execute function note_changed_bookings();
