-- First lesson of a person who receives a seat at `since`: the next one that takes place; if none does, the next
-- cancelled one; in a course without further lessons `since` or the course's first day. Free cancellation is counted
-- from its day (server/features/bookings/pricing-rules.ts has the same rule for people without a booking).
create function first_lesson_at(course integer, since timestamp) returns timestamp language sql stable as $$
  select coalesce(min(d.held_at) filter (where d.state = 'planned'), min(d.held_at),
    greatest(since, (select c.starts_on::timestamp from courses c where c.id = course)))
  from course_dates d where d.course_id = course and d.held_at > since
$$;

-- Latest day that was ever the person's first lesson. It is only raised, so that no change of the lessons shortens a
-- period that the person was told.
alter table bookings add column first_lesson_on date;
-- A derived value is no change of a booking that a program has to read again.
alter table bookings disable trigger note_booking_transaction;
update bookings b set first_lesson_on = greatest(f.at::date, (
  select max(d.moved_from)::date from course_dates d where d.course_id = b.course_id and d.held_at = f.at))
from bookings o cross join lateral (
  select first_lesson_at(o.course_id, coalesce(o.promoted_at, o.booked_at)::timestamp) as at) f
where o.id = b.id and b.state = 1 and b.cancelled_at is null;
alter table bookings enable trigger note_booking_transaction;

create function raise_first_lessons() returns trigger language plpgsql as $$
begin
  update bookings b set first_lesson_on = f.day
  from (select distinct course_id from changed_lessons) l join bookings o using (course_id)
    cross join lateral (
      select first_lesson_at(o.course_id, coalesce(o.promoted_at, o.booked_at)::timestamp)::date as day) f
  where o.id = b.id and b.state = 1 and b.cancelled_at is null and f.day > b.first_lesson_on;
  return null;
end $$;
create trigger raise_first_lessons_of_added after insert on course_dates referencing new table as changed_lessons
for each statement execute function raise_first_lessons();
create trigger raise_first_lessons_of_changed after update on course_dates referencing new table as changed_lessons
for each statement execute function raise_first_lessons();
create trigger raise_first_lessons_of_removed after delete on course_dates referencing old table as changed_lessons
for each statement execute function raise_first_lessons();
