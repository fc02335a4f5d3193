-- Pairs of lessons that the department accepted at the same time in one room, or with one instructor, when each was held
-- then: as long as neither moves, no act asks about the pair again.
create table accepted_clashes (
  course_date_id integer not null references course_dates on delete cascade,
  other_id integer not null references course_dates on delete cascade,
  need text not null check (need in ('room', 'instructor')),
  held_at timestamp not null,
  other_held_at timestamp not null,
  primary key (course_date_id, other_id, need),
  check (course_date_id < other_id)
);
create index on accepted_clashes (other_id);
