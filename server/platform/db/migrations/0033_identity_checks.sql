-- Refused logins of the company: the provider sent another personnel number for the address of a verified account.
create table company_number_conflicts (
  web_user_id integer primary key references web_users on delete cascade,
  email text not null,
  -- as the provider sent it
  personnel_number text not null,
  refused_at timestamptz not null default clock_timestamp()
);
create index on company_number_conflicts (refused_at);

-- When a passkey was last shown in the session; confirmed_at moves on with use.
alter table sessions add column if not exists passkey_at timestamptz;
