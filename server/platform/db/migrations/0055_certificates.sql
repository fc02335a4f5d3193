-- Percentage of the counted lessons that a certificate of attendance requires.
alter table courses add column certificate_share integer not null default 80 check (certificate_share between 0 and 100);

-- Certificates of attendance (§ 20 SGB V), one row per version, without a person: the state outlives the account.
create table certificates (
  code text primary key,
  -- no foreign key: bookings of deleted accounts may be removed
  booking_id bigint not null,
  version integer not null check (version > 0),
  issued_at timestamptz not null default clock_timestamp(),
  revoked_at timestamptz,
  -- act revoke-certificate: settling issues no other one
  is_withdrawn boolean not null default false,
  unique (booking_id, version)
);
create unique index on certificates (booking_id) where revoked_at is null;

-- The signed certificate; its payload has name and course.
create table certificate_documents (
  code text primary key references certificates,
  web_user_id integer not null references web_users on delete cascade,
  jws text not null
);
create index on certificate_documents (web_user_id);

alter table inbox_items add column certificate_code text references certificate_documents on delete set null;
