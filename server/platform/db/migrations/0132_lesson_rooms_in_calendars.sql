-- A lesson's own room is its place in calendars, as its own venue is.
drop trigger note_calendar_change on course_dates;
create trigger note_calendar_change before update of held_at, ends_at, state, venue, room_id on course_dates for each row
when ((old.held_at, old.ends_at, old.state, old.venue, old.room_id)
  is distinct from (new.held_at, new.ends_at, new.state, new.venue, new.room_id))
execute function note_calendar_change();

create function note_room_calendar_change() returns trigger language plpgsql as $$
begin
  update course_dates set calendar_sequence = nextval('calendar_changes'), calendar_changed_at = clock_timestamp()
  where room_id = new.id and (venue is null or old.site is distinct from new.site);
  return null;
end $$;
create trigger note_calendar_change after update of name, site on rooms for each row
when ((old.name, old.site) is distinct from (new.name, new.site)) execute function note_room_calendar_change();

-- Until now, calendars showed these lessons in the room of their course.
update course_dates set calendar_sequence = nextval('calendar_changes'), calendar_changed_at = clock_timestamp()
where room_id is not null and held_at > localtimestamp;
