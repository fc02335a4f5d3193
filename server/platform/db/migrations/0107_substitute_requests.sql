-- Questions to instructors whether they can teach lessons as substitutes.
create table substitute_invitations (
  id integer generated always as identity primary key,
  instructor_email text not null references instructors on update cascade on delete cascade,
  -- account or service token of the department on whose behalf the first acceptance changes the lesson
  asked_by integer,
  asked_with integer,
  asked_at timestamptz not null default clock_timestamp(),
  ends_at timestamp not null
);
create index on substitute_invitations (instructor_email);
create index on substitute_invitations (ends_at);
-- Hashes of the links in the e-mails.
create table substitute_links (
  token_hash bytea primary key,
  invitation_id integer not null references substitute_invitations on delete cascade
);
create index on substitute_links (invitation_id);
-- A lesson offered in an invitation. It can be accepted while the lesson has the time and the substitute that it had then.
create table substitute_offers (
  invitation_id integer not null references substitute_invitations on delete cascade,
  course_date_id integer not null references course_dates on delete cascade,
  held_at timestamp not null,
  replaced_email text,
  answer text check (answer in ('accepted', 'declined', 'withdrawn')),
  answered_at timestamptz,
  primary key (invitation_id, course_date_id)
);
create index on substitute_offers (course_date_id);
