-- Places of single lessons that the holders of seats have freed, and who has taken them.
create table freed_places (
  id bigint generated always as identity primary key,
  course_id integer not null references courses on delete cascade,
  -- null: the lesson, or the booking of the person who freed the place, has been deleted
  course_date_id integer references course_dates on delete set null,
  booking_id bigint references bookings on update cascade on delete set null,
  -- start of the lesson when the place was freed
  held_at timestamp not null,
  -- when the place was freed, or returned by a guest
  offered_at timestamptz not null default clock_timestamp(),
  -- from when also people who only follow the course may take the place
  followers_from timestamptz not null,
  guest_id integer references web_users on delete set null,
  taken_at timestamptz,
  -- the place no longer exists: the lesson was moved or cancelled, or the booking ended before the lesson
  ended_at timestamptz
);
create unique index on freed_places (course_date_id, booking_id) where ended_at is null;
create unique index on freed_places (course_date_id, guest_id) where ended_at is null;
create index on freed_places (course_id);
create index on freed_places (booking_id);
create index on freed_places (guest_id);
create index on freed_places (held_at) where ended_at is null;

alter table reminders add column lesson_places_by_mail boolean not null default true,
  add column lesson_places_by_push boolean not null default false;
