-- Somebody who came to a lesson and was not on its list, noted by its instructor. The phone names the note, so that it counts once
-- however often it arrives. A note that was taken back keeps its row without the name, so that a late copy of it does not come back.
create table door_guests (
  id uuid primary key,
  course_date_id integer not null references course_dates on delete cascade,
  name text not null,
  noted_at timestamptz not null default clock_timestamp(),
  withdrawn_at timestamptz,
  check ((name = '') = (withdrawn_at is not null))
);
create index on door_guests (course_date_id);
