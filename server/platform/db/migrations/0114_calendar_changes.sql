-- The SEQUENCE of an event rises with changes that its reader sees, and with no others: programs that identify events by
-- their content replace them, which deletes alarms. One counter for all changes, so that a later change has the higher
-- number in either language.
create sequence calendar_changes as integer;
-- The second language, as in name2.
alter table courses
  add column calendar_sequence2 integer not null default 0,
  add column calendar_changed_at2 timestamptz not null default now();

drop trigger note_calendar_change on course_dates;
drop trigger note_calendar_change on courses;
alter table courses disable trigger user;
update courses set calendar_sequence2 = calendar_sequence, calendar_changed_at2 = calendar_changed_at;
alter table courses enable trigger user;
-- Until now an event had the sum of both numbers, from now on it has the greater one.
alter table course_dates disable trigger user;
update course_dates d set calendar_sequence = d.calendar_sequence + c.calendar_sequence
from courses c where c.id = d.course_id and c.calendar_sequence > 0;
alter table course_dates enable trigger user;
update removed_lessons r set calendar_sequence = r.calendar_sequence + c.calendar_sequence
from courses c where c.id = r.course_id and c.calendar_sequence > 0;
select setval('calendar_changes', (select coalesce(max(n), 0) + 1 from (
  select calendar_sequence as n from course_dates union all select calendar_sequence from removed_lessons
  union all select calendar_sequence from courses) numbers));

create or replace function note_calendar_change() returns trigger language plpgsql as $$
begin
  new.calendar_sequence := nextval('calendar_changes');
  new.calendar_changed_at := clock_timestamp();
  return new;
end $$;
create trigger note_calendar_change before update of held_at, ends_at, state, venue on course_dates for each row
when ((old.held_at, old.ends_at, old.state, old.venue) is distinct from (new.held_at, new.ends_at, new.state, new.venue))
execute function note_calendar_change();

create function note_course_calendar_change() returns trigger language plpgsql as $$
declare
  of_both constant boolean := (old.number, old.city, old.meeting_url, old.meeting_id, old.meeting_code, old.cancelled_at)
    is distinct from (new.number, new.city, new.meeting_url, new.meeting_id, new.meeting_code, new.cancelled_at);
begin
  if of_both or (old.name, old.location) is distinct from (new.name, new.location) then
    new.calendar_sequence := nextval('calendar_changes');
    new.calendar_changed_at := clock_timestamp();
  end if;
  if of_both or (coalesce(nullif(old.name2, ''), old.name), coalesce(nullif(old.location2, ''), old.location))
    is distinct from (coalesce(nullif(new.name2, ''), new.name), coalesce(nullif(new.location2, ''), new.location)) then
    new.calendar_sequence2 := nextval('calendar_changes');
    new.calendar_changed_at2 := clock_timestamp();
  end if;
  return new;
end $$;
create trigger note_calendar_change
before update of number, name, name2, city, location, location2, meeting_url, meeting_id, meeting_code, cancelled_at on courses
for each row execute function note_course_calendar_change();

-- Place and duration concern the lessons that have none of their own.
create function note_inherited_calendar_change() returns trigger language plpgsql as $$
declare
  has_place constant boolean := old.venue is distinct from new.venue;
  has_duration constant boolean := old.end_time - old.start_time is distinct from new.end_time - new.start_time;
begin
  update course_dates set calendar_sequence = nextval('calendar_changes'), calendar_changed_at = clock_timestamp()
  where course_id = new.id and (has_place and venue is null or has_duration and ends_at is null);
  update removed_lessons set calendar_sequence = nextval('calendar_changes') where course_id = new.id and (has_place or has_duration);
  return null;
end $$;
create trigger note_inherited_calendar_change after update of venue, start_time, end_time on courses for each row
when ((old.venue, old.end_time - old.start_time) is distinct from (new.venue, new.end_time - new.start_time))
execute function note_inherited_calendar_change();

create or replace function keep_removed_lesson() returns trigger language plpgsql as $$
begin
  -- With its course everything of it goes.
  insert into removed_lessons (course_date_id, course_id, held_at, calendar_sequence)
  select old.id, c.id, old.held_at, nextval('calendar_changes') from courses c where c.id = old.course_id;
  return null;
end $$;
