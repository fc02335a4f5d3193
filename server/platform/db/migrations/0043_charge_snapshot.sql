-- Charge snapshot of a place (money.md section 1): price_cents = fee + processing_cents.
alter table bookings
  add column processing_cents integer not null default 0 check (processing_cents between 0 and price_cents),
  -- regular attendance waives the fee; copied from the course
  add column is_waiver_offered boolean not null default false,
  -- lessons ahead when the place was given; null on the waiting list
  add column promised_lessons smallint check (promised_lessons >= 0);

update bookings b set is_waiver_offered = c.is_free_with_attendance,
  processing_cents = case when b.price_rule = 'external' and c.external_fee_cents is null then least(b.price_cents, 1500) else 0 end,
  promised_lessons = case when b.state = 1 then (
    select count(*) from course_dates d where d.course_id = c.id and not d.is_extra
      and d.held_at > coalesce(b.promoted_at, b.booked_at)::timestamp) end
from courses c where c.id = b.course_id;
