-- Refused logins of the company: the provider sent another personnel number for the address of a verified account.
create table company_number_conflicts (
  web_user_id integer primary key references web_users on delete cascade,
  email text not null,
  -- as the provider sent it
  personnel_number text not null,
  refused_at timestamptz not null default clock_timestamp()
);
create index on company_number_conflicts (refused_at);
