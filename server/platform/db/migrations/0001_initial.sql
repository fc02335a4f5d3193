-- Wall-clock columns (`date`, `time`, `timestamp`) are in the portal's zone, which every connection sets;
-- `timestamptz` columns are instants. Texts are '' when empty.

create table divisions (
  id integer primary key,
  name text not null,
  is_online_only boolean not null default false
);

create table seasons (
  id integer primary key,
  name text not null,
  name2 text not null default '',
  description text not null default '',
  description2 text not null default '',
  shortcut text not null default '',
  bookable_from timestamptz not null,
  viewable_from timestamptz not null,
  starts_at timestamp,
  ends_at timestamp
);

create table categories (
  id integer primary key,
  name text not null,
  name2 text not null default '',
  icon text not null default ''
);

create table instructors (
  email text primary key check (email = lower(email)),
  family_name text not null,
  given_name text not null default '',
  year_of_birth smallint,
  courses text not null default '',
  courses2 text not null default '',
  profession text not null default '',
  profession2 text not null default '',
  hobbies text not null default '',
  hobbies2 text not null default '',
  like_reasons text not null default '',
  like_reasons2 text not null default '',
  favorite_workout text not null default '',
  favorite_workout2 text not null default '',
  picture_file_name text not null default ''
);

create table courses (
  id integer generated always as identity primary key,
  number text not null unique,
  season_id integer not null references seasons,
  category_id integer not null references categories,
  name text not null,
  name2 text not null default '',
  text_web text not null default '',
  text_web2 text not null default '',
  conditions text not null default '',
  conditions2 text not null default '',
  venue text not null default '',
  city text not null default '',
  location text not null default '',
  location2 text not null default '',
  instructor text not null default '',
  day smallint not null check (day between 0 and 6),
  start_time time not null,
  end_time time not null,
  starts_on date not null,
  ends_on date not null,
  -- whether the import gave its dates one by one; else they follow from day, starts_on and ends_on
  has_own_dates boolean not null default false,
  total_hours numeric(7, 2) not null default 0,
  booking_selection text not null default '',
  -- the course's own opening moment; null: the season's
  bookable_from timestamptz,
  fee_cents integer not null default 0 check (fee_cents >= 0),
  energy_fee_cents integer not null default 0 check (energy_fee_cents >= 0),
  -- null: fee plus the surcharge for externals
  external_fee_cents integer check (external_fee_cents >= 0),
  capacity integer not null check (capacity >= 0),
  is_confirmed boolean not null default false,
  is_participating_complete boolean not null default false,
  meeting_url text not null default '',
  meeting_id text not null default '',
  meeting_code text not null default '',
  central_test_institute text not null default '',
  -- kept by the import from the columns above, the season and the course dates
  opens_at timestamptz not null,
  closes_at timestamptz not null,
  -- places and waiting-list spots given out and not cancelled: the first `capacity` of them are places
  taken integer not null default 0 check (taken >= 0),
  -- the last number given to a booking: the order in which the requests were taken
  booking_seq bigint not null default 0,
  -- grows with every change that the course list shows
  revision bigint not null default 0
);
create index on courses (season_id);
create index on courses (category_id);

create table course_instructors (
  course_id integer not null references courses on delete cascade,
  email text not null references instructors on update cascade on delete cascade,
  primary key (course_id, email)
);
create index on course_instructors (email);

create table course_dates (
  id integer generated always as identity primary key,
  course_id integer not null references courses on delete cascade,
  held_at timestamp not null,
  unique (course_id, held_at)
);

create table web_users (
  id integer generated always as identity primary key,
  email text not null unique check (email = lower(email)),
  -- argon2id; null: no password chosen yet, or the mailed one was used
  password_hash text,
  -- argon2id of the password that the import gave last; the person may have chosen another since
  imported_password_hash text,
  -- SHA-256 of a mailed password: works once, until it expires
  reset_password_hash text,
  reset_expires_at timestamptz,
  is_password_to_change boolean not null default false,
  form_of_address text not null default 'Frau',
  title text not null default '',
  given_name text not null default '',
  family_name text not null default '',
  employee_status smallint,
  personnel_number text not null default '',
  owner_personnel_number text not null default '',
  department text not null default '',
  location text not null default '',
  company_address text not null default '',
  bkk_number text not null default '',
  billing_type smallint,
  division_id integer references divisions,
  mobile_phone text not null default '',
  private_phone text not null default '',
  business_phone text not null default '',
  street text not null default '',
  zip text not null default '',
  city text not null default '',
  year_of_birth smallint,
  language text not null default 'de' check (language in ('de', 'en')),
  created_at timestamptz not null default now(),
  -- null: registered, activation link not opened yet
  confirmed_at timestamptz,
  last_booked_at timestamptz,
  -- the person deleted the account: the row stays for its bookings, without what they do not need
  deleted_at timestamptz
);

-- links sent by mail: activation, and the change to a new e-mail address
create table account_tokens (
  token_hash bytea primary key,
  web_user_id integer not null references web_users on delete cascade,
  purpose text not null check (purpose in ('activation', 'new-email')),
  new_email text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index on account_tokens (web_user_id);

create table sessions (
  -- SHA-256 of the token
  token_hash bytea primary key,
  web_user_id integer not null references web_users on delete cascade,
  is_kept boolean not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index on sessions (web_user_id);
create index on sessions (expires_at);

-- what an outsider may not repeat at will: failed logins, mails to an address, registrations
create table throttle_events (
  id bigint generated always as identity primary key,
  kind text not null,
  -- the user name or e-mail address concerned, lower case
  subject text not null,
  -- the caller's network address
  address text not null,
  happened_at timestamptz not null default clock_timestamp()
);
create index on throttle_events (kind, subject, happened_at);
create index on throttle_events (kind, address, happened_at);
create index on throttle_events (happened_at);

create table bookings (
  id bigint generated always as identity primary key,
  course_id integer not null references courses,
  web_user_id integer not null references web_users,
  -- order within the course
  seq bigint not null,
  -- 1 booked, 2 waiting list
  state smallint not null check (state in (1, 2)),
  price_cents integer not null,
  booked_at timestamptz not null default clock_timestamp(),
  -- when a place freed for a waiting person
  promoted_at timestamptz,
  cancelled_at timestamptz,
  unique (course_id, seq)
);
create unique index bookings_active on bookings (course_id, web_user_id) where cancelled_at is null;
create index on bookings (web_user_id);
create index bookings_waiting on bookings (course_id, seq) where state = 2 and cancelled_at is null;

create table attendances (
  course_date_id integer not null references course_dates,
  web_user_id integer not null references web_users,
  is_present boolean not null,
  -- when the instructor tapped, in server time
  changed_at timestamptz not null,
  primary key (course_date_id, web_user_id)
);
create index on attendances (web_user_id);

-- every change taken, so that one sent again is known
create table attendance_changes (
  change_id uuid primary key,
  course_date_id integer not null references course_dates,
  web_user_id integer not null references web_users,
  is_present boolean not null,
  changed_at timestamptz not null,
  received_at timestamptz not null default clock_timestamp(),
  recorded_by integer references web_users on delete set null
);
create index on attendance_changes (course_date_id);
create index on attendance_changes (web_user_id);
create index on attendance_changes (recorded_by);

-- pictures and documents live in the database, so that every server has them
create table files (
  kind text not null check (kind in ('content', 'photo', 'thumbnail', 'document')),
  name text not null,
  media_type text not null,
  sha256 bytea not null,
  content bytea not null,
  primary key (kind, name)
);

create table content_items (
  id integer generated always as identity primary key,
  content_type text not null,
  sort_order integer not null,
  picture_file_name text not null default '',
  file_name text not null default '',
  link_text text not null default '',
  link_text2 text not null default '',
  text1 text not null default '',
  text2 text not null default '',
  text3 text not null default '',
  text4 text not null default '',
  text5 text not null default '',
  link text not null default '',
  unique (content_type, sort_order)
);

create table albums (
  id integer primary key,
  name text not null,
  name2 text not null default '',
  description text not null default '',
  description2 text not null default '',
  thumbnail_file_name text not null default '',
  is_individual_course boolean not null default false,
  -- null: public
  course_id integer references courses
);

create table photos (
  album_id integer not null references albums on delete cascade,
  file_name text not null,
  shot_at timestamp,
  sort_order integer not null default 0,
  primary key (album_id, file_name)
);

create table inbox_items (
  id bigint generated always as identity primary key,
  web_user_id integer not null references web_users on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  title text not null,
  text text not null default '',
  document_name text not null default '',
  seen_at timestamptz
);
create index on inbox_items (web_user_id, created_at desc);

-- the outbox: a row is written in the transaction that causes the mail, sent afterwards, exactly once
create table mails (
  id bigint generated always as identity primary key,
  web_user_id integer references web_users on delete set null,
  recipient text not null,
  language text not null,
  -- names the template; payload holds its values
  kind text not null,
  payload jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default clock_timestamp(),
  sent_at timestamptz,
  last_error text not null default ''
);
create index mails_due on mails (next_attempt_at) where sent_at is null;
create index on mails (web_user_id);

-- one row: grows with every import
create table programme (
  is_only_row boolean primary key default true check (is_only_row),
  revision bigint not null default 0,
  imported_at timestamptz,
  -- argon2id over all passwords of the last import, so that the next one need not compare them one by one
  passwords_fingerprint text
);
insert into programme default values;

-- what the servers of one portal sign with; made here, never shown
create table secrets (
  name text primary key,
  value bytea not null
);
insert into secrets values ('photo-names', uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
