-- The course from which a course was copied, so that a rehearsal assigns it the demand for the original.
alter table courses add column copied_from_id integer references courses on delete set null;
create index on courses (copied_from_id) where copied_from_id is not null;

-- Booking requests that were refused because the course was full, without names. They are part of the demand.
create table refused_requests (
  course_id integer not null references courses on delete cascade,
  second timestamptz not null,
  requests integer not null check (requests > 0),
  primary key (course_id, second)
);
