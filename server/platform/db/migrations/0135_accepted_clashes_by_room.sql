-- What was accepted of a clash: its end, its room and its instructor. `overlaps_until` is null for clashes accepted before,
-- of which only the times are compared.
alter table accepted_clashes add column overlaps_until timestamp, add column room_id integer,
  add column instructor_email text references instructors on update cascade on delete set null;
create index on accepted_clashes (instructor_email);
