-- Proofs of sickness and shift work. The file is deleted four weeks after the decision is final; the decision stays.
create table proofs (
  id integer generated always as identity primary key,
  web_user_id integer not null references web_users on delete cascade,
  kind text not null check (kind in ('sick', 'shift')),
  starts_on date not null,
  ends_on date not null check (ends_on >= starts_on),
  file_name text not null,
  media_type text not null,
  content bytea,
  state text not null default 'open' check (state in ('open', 'accepted', 'refused')),
  reason text not null default '',
  created_at timestamptz not null default clock_timestamp(),
  decided_at timestamptz,
  decided_by integer,
  check ((state = 'open') = (decided_at is null))
);
create index on proofs (web_user_id);
create index on proofs (created_at) where state = 'open';
create index on proofs (decided_at) where content is not null;

-- Consent of the holder of a personnel number that pays for somebody else (billing type 2, act accept-payer).
create table payer_consents (
  web_user_id integer not null references web_users on delete cascade,
  personnel_number text not null,
  -- null: by reason, which the record has
  media_type text,
  content bytea,
  accepted_at timestamptz not null default clock_timestamp(),
  accepted_by integer,
  primary key (web_user_id, personnel_number)
);
