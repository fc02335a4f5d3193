-- Explicit consent (Art. 9 (2) (a) GDPR) to the insurance number and to attendance in health courses: who, when, to which version of
-- the text, and when it was withdrawn. Numbers from before have none on record: the profile asks for it.
create table consents (
  id bigint generated always as identity primary key,
  web_user_id integer not null references web_users on delete cascade,
  kind text not null check (kind in ('insurance', 'attendance')),
  version text not null,
  given_at timestamptz not null default clock_timestamp(),
  withdrawn_at timestamptz
);
create unique index consents_given on consents (web_user_id, kind, version) where withdrawn_at is null;
create index consents_of_person on consents (web_user_id);
