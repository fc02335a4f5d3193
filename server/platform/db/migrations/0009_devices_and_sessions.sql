-- Browsers that have logged in to an account before: strangers' failures do not lock them out.
create table known_devices (
  -- SHA-256 of the token in the browser's cookie
  token_hash bytea primary key,
  web_user_id integer not null references web_users on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz not null default clock_timestamp(),
  -- has come back since: its owner keeps cookies, so that a login without one is news
  has_returned boolean not null default false
);
create index on known_devices (web_user_id);
create index on known_devices (last_used_at);

alter table sessions
  -- what its owner calls it by
  add column id integer generated always as identity unique,
  -- in coarse words, as in 'Firefox, Windows'; empty when not known
  add column device text not null default '';
