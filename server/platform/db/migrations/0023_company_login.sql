-- The company's own login (OpenID Connect).

-- a browser on its way to the company and back, for some minutes
create table company_logins (
  -- SHA-256 of what the browser's cookie holds
  browser_hash bytea primary key,
  state_hash bytea not null,
  nonce text not null,
  verifier text not null,
  next text not null default '',
  is_kept boolean not null default false,
  -- null: it has not come back yet; else 'Ok', or why there is no login
  outcome text,
  web_user_id integer references web_users on delete cascade,
  expires_at timestamptz not null
);
create index on company_logins (expires_at);
create index on company_logins (web_user_id) where web_user_id is not null;

-- whom the company's provider means by a subject
create table company_accounts (
  issuer text not null,
  subject text not null,
  web_user_id integer not null references web_users on delete cascade,
  joined_at timestamptz not null default clock_timestamp(),
  last_login_at timestamptz not null default clock_timestamp(),
  -- the HR list, or the provider, no longer has the person
  left_at timestamptz,
  primary key (issuer, subject)
);
create index on company_accounts (web_user_id);

alter table sessions add column is_by_company boolean not null default false;

-- given by a claim: works for some hours after a login with it, and goes with it
alter table office_rights add column is_by_claim boolean not null default false;
