-- What calendars have been told of a lesson: the number grows with every change, so that a calendar takes the newer one.
alter table course_dates
  add column calendar_sequence integer not null default 0,
  add column calendar_changed_at timestamptz not null default now();
alter table courses
  add column calendar_sequence integer not null default 0,
  add column calendar_changed_at timestamptz not null default now();

create function note_calendar_change() returns trigger language plpgsql as $$
begin
  new.calendar_sequence := old.calendar_sequence + 1;
  new.calendar_changed_at := clock_timestamp();
  return new;
end $$;

-- Whoever changes a lesson, now or later, cannot pass it by.
create trigger note_calendar_change before update on course_dates for each row
when (old.* is distinct from new.*) execute function note_calendar_change();

-- By columns: a booking changes its course's row, too, and must cost nothing more.
create trigger note_calendar_change
before update of name, name2, venue, city, location, location2, start_time, end_time, meeting_url, meeting_id, meeting_code
on courses for each row
when ((old.name, old.name2, old.venue, old.city, old.location, old.location2, old.start_time, old.end_time,
    old.meeting_url, old.meeting_id, old.meeting_code)
  is distinct from (new.name, new.name2, new.venue, new.city, new.location, new.location2, new.start_time, new.end_time,
    new.meeting_url, new.meeting_id, new.meeting_code))
execute function note_calendar_change();

-- Lessons that are gone from the programme: calendars that had them are told that they do not take place.
create table removed_lessons (
  course_date_id integer primary key,
  course_id integer not null references courses on delete cascade,
  held_at timestamp not null,
  calendar_sequence integer not null,
  removed_at timestamptz not null default clock_timestamp()
);
create index on removed_lessons (course_id);

create function keep_removed_lesson() returns trigger language plpgsql as $$
begin
  -- With its course everything of it goes.
  insert into removed_lessons (course_date_id, course_id, held_at, calendar_sequence)
  select old.id, c.id, old.held_at, old.calendar_sequence + 1 from courses c where c.id = old.course_id;
  return null;
end $$;
create trigger keep_removed_lesson after delete on course_dates for each row execute function keep_removed_lesson();

-- The address of a person's calendar is derived from nonce and a secret below (HMAC): it can be shown again, and is stored nowhere.
create table calendar_feeds (
  web_user_id integer primary key references web_users on delete cascade,
  nonce bytea not null,
  -- SHA-256 of the token in the address
  token_hash bytea not null unique,
  created_at timestamptz not null default clock_timestamp()
);
insert into secrets values ('calendar-feeds', uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

create table follows (
  id bigint generated always as identity primary key,
  web_user_id integer not null references web_users on delete cascade,
  course_id integer references courses on delete cascade,
  category_id integer references categories on delete cascade,
  season_id integer references seasons on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  check (num_nonnulls(course_id, category_id, season_id) = 1),
  unique nulls not distinct (web_user_id, course_id, category_id, season_id)
);
create index on follows (course_id);
create index on follows (category_id);
create index on follows (season_id);

-- no row: what everybody has at first
create table reminders (
  web_user_id integer primary key references web_users on delete cascade,
  changes_by_mail boolean not null,
  changes_by_push boolean not null,
  lesson_eve_by_mail boolean not null,
  lesson_eve_by_push boolean not null,
  opening_by_mail boolean not null,
  opening_by_push boolean not null,
  waiting_by_mail boolean not null,
  waiting_by_push boolean not null,
  changed_at timestamptz not null default clock_timestamp()
);
