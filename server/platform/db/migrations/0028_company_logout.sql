-- The company's provider ends sessions here when one ends there (OpenID Connect Back-Channel Logout).

-- the session of the provider by which somebody came in; empty: it has not said
alter table sessions add column company_sid text not null default '';
alter table company_logins add column company_sid text not null default '';

-- SHA-256 of the ids of logout tokens that were taken: each counts once, until it is too old to count
create table company_logouts (
  jti_hash bytea primary key,
  expires_at timestamptz not null
);
