-- Who of the department may do what at the desk.
create table office_rights (
  web_user_id integer not null references web_users on delete cascade,
  "right" text not null check ("right" in ('programme', 'bookings', 'billing', 'content', 'record', 'owner')),
  granted_at timestamptz not null default clock_timestamp(),
  primary key (web_user_id, "right")
);

create table passkeys (
  -- the authenticator's name for it, base64url
  id text primary key,
  web_user_id integer not null references web_users on delete cascade,
  public_key bytea not null,
  -- goes up with each use, where the authenticator counts
  counter bigint not null default 0,
  transports text not null default '',
  name text not null default '',
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz
);
create index on passkeys (web_user_id);

-- what a browser has to sign, once and soon
create table passkey_challenges (
  challenge text primary key,
  purpose text not null check (purpose in ('register', 'confirm')),
  -- null: somebody who is not logged in yet
  web_user_id integer references web_users on delete cascade,
  expires_at timestamptz not null
);
create index on passkey_challenges (web_user_id);
create index on passkey_challenges (expires_at);

-- when the person showed a passkey, or did something at the desk after it
alter table sessions add column confirmed_at timestamptz;

-- 'passkey': registers the first passkey of somebody who got a right
alter table account_tokens drop constraint account_tokens_purpose_check;
alter table account_tokens add constraint account_tokens_purpose_check
  check (purpose in ('activation', 'new-email', 'undo', 'passkey'));

-- Each act that was done, by the id that the browser made: the same one again is answered the same. Names are not kept here.
create table office_acts (
  act_id uuid primary key,
  actor_id integer not null,
  -- SHA-256 of what was sent
  fingerprint bytea not null,
  answer jsonb,
  acted_at timestamptz not null default clock_timestamp()
);
create index on office_acts (acted_at);

-- The record: one line for each act, chained by hashes. Nobody's name is in a line: people are numbers that lead nowhere once they
-- are gone, and reasons, notes and messages are kept beside it.
create table office_record (
  number bigint primary key,
  acted_at timestamptz not null,
  kind text not null,
  -- null: a command
  actor_id integer,
  -- JSON as it was hashed
  line text not null,
  -- SHA-256 of the hash before and the line
  hash bytea not null
);
create index on office_record (kind, number);
create index on office_record (acted_at);

create function keep_record() returns trigger language plpgsql as $$
begin
  raise exception 'the record is append-only';
end $$;
create trigger keep_record before update or delete on office_record for each row execute function keep_record();
create trigger keep_record_whole before truncate on office_record for each statement execute function keep_record();

-- whom a line concerns, while they are there
create table office_record_people (
  web_user_id integer not null references web_users on delete cascade,
  record_number bigint not null,
  primary key (web_user_id, record_number)
);
create index on office_record_people (record_number);
create table office_record_courses (
  course_id integer not null,
  record_number bigint not null,
  primary key (course_id, record_number)
);

-- what people wrote in an act; the line has its hash
create table office_record_texts (
  record_number bigint primary key,
  text text not null
);

-- Whoever goes takes the words about them along.
create function forget_record_texts() returns trigger language plpgsql as $$
begin
  delete from office_record_texts where record_number = old.record_number;
  return null;
end $$;
create trigger forget_record_texts after delete on office_record_people for each row execute function forget_record_texts();

-- who looked at whose data
create table office_reads (
  id bigint generated always as identity primary key,
  read_at timestamptz not null default clock_timestamp(),
  -- a role, or the name of the instructor
  reader text not null,
  reader_id integer,
  -- null: a search that showed many
  web_user_id integer references web_users on delete cascade,
  call text not null
);
create index on office_reads (web_user_id, read_at);
create index on office_reads (read_at);

-- Versions grow with acts and imports alone, never with a person's own booking.
alter table courses add column version integer not null default 1, add column cancelled_at timestamptz,
  add column note text not null default '', add column note2 text not null default '';
alter table seasons add column version integer not null default 1,
  -- nothing of it is visible outside the desk
  add column is_draft boolean not null default false;
alter table web_users add column version integer not null default 1;
alter table content_items add column version integer not null default 1;
alter table albums add column version integer not null default 1;
alter table photos add column id integer generated always as identity unique, add column version integer not null default 1;
alter table categories add column version integer not null default 1;
alter table divisions add column version integer not null default 1;
alter table instructors add column version integer not null default 1;

create table rooms (
  id integer generated always as identity primary key,
  name text not null,
  site text not null default '',
  capacity integer not null default 0 check (capacity >= 0),
  -- may hold several lessons at once: a pool, online
  is_shared boolean not null default false,
  version integer not null default 1,
  unique (name, site)
);

-- What the desk did to a single lesson; an import leaves it so.
alter table course_dates
  add column state text not null default 'planned' check (state in ('planned', 'cancelled')),
  -- where it was before the desk moved it
  add column moved_from timestamp,
  -- its own end; null: as long as the course's lessons are
  add column ends_at time,
  add column room_id integer references rooms,
  -- its own venue; null: the course's
  add column venue text,
  -- who teaches it in place of the course's instructors
  add column instructor_email text references instructors on update cascade on delete set null,
  add column note text not null default '',
  add column note2 text not null default '',
  -- added by the desk
  add column is_extra boolean not null default false;
create index on course_dates (room_id) where room_id is not null;
create index on course_dates (instructor_email) where instructor_email is not null;
create index on course_dates (held_at);

-- what a place costs that was given back late: the department's word
alter table bookings add column charge text not null default 'none' check (charge in ('none', 'full'));

-- The HR list: who may have the price of the company's people.
create table eligible_people (
  personnel_number text primary key,
  division_id integer references divisions,
  employee_status smallint
);

-- People without an e-mail address get letters, printed at the desk: what would be a mail to them becomes one.
create table letters (
  id bigint generated always as identity primary key,
  web_user_id integer not null references web_users on delete cascade,
  language text not null,
  kind text not null,
  payload jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  printed_at timestamptz
);
create index on letters (web_user_id);
create index on letters (created_at);

create function write_letter() returns trigger language plpgsql as $$
begin
  insert into letters (web_user_id, language, kind, payload)
  values (new.web_user_id, new.language, new.kind, new.payload);
  return null;
end $$;
create trigger write_letter before insert on mails for each row
when (position('@' in new.recipient) = 0 and new.web_user_id is not null) execute function write_letter();

-- pages whose text the department has written; the others have the built-in one
create table pages (
  name text primary key,
  text text not null default '',
  text2 text not null default '',
  version integer not null default 1
);

-- files on their way into the portal: gone after a day, unless an act used them
create table office_files (
  id uuid primary key default gen_random_uuid(),
  "right" text not null,
  name text not null,
  media_type text not null,
  content bytea not null,
  created_at timestamptz not null default clock_timestamp()
);
create index on office_files (created_at);

-- what the department tells about something less than a day away is to be known at once
drop index mails_due;
alter table mails drop column is_urgent;
alter table mails add column is_urgent boolean not null generated always as (
  kind in (
    'activation', 'email-changed', 'new-device', 'new-email', 'new-email-notice', 'notice-urgent', 'password-changed',
    'password-reset'
  )) stored;
create index mails_due on mails (is_urgent desc, due_at, id) where sent_at is null;

-- A course that falls out, or comes back, is news for calendars, too.
drop trigger note_calendar_change on courses;
create trigger note_calendar_change
before update of name, name2, venue, city, location, location2, start_time, end_time, meeting_url, meeting_id, meeting_code,
  cancelled_at
on courses for each row
when ((old.name, old.name2, old.venue, old.city, old.location, old.location2, old.start_time, old.end_time,
    old.meeting_url, old.meeting_id, old.meeting_code, old.cancelled_at)
  is distinct from (new.name, new.name2, new.venue, new.city, new.location, new.location2, new.start_time, new.end_time,
    new.meeting_url, new.meeting_id, new.meeting_code, new.cancelled_at))
execute function note_calendar_change();
