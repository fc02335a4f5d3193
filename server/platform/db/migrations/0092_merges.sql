-- Merged accounts, which can be separated for seven days. Until then the row of the duplicate account remains, closed
-- (deleted_at), with everything that was not reassigned: passwords and other ways in, consents, and its documents unless
-- both accounts belong to one person. `moved`: keys of the reassigned rows by table.
create table merges (
  id integer generated always as identity primary key,
  from_id integer not null unique references web_users on delete cascade,
  into_id integer not null references web_users on delete cascade,
  from_email text not null,
  merged_at timestamptz not null default clock_timestamp(),
  moved jsonb not null,
  is_agreed_from boolean not null default false,
  is_agreed_into boolean not null default false
);
create index on merges (into_id);
alter table account_tokens add column merge_id integer references merges on delete cascade;
alter table account_tokens drop constraint account_tokens_purpose_check;
alter table account_tokens add constraint account_tokens_purpose_check
  check (purpose in ('activation', 'new-email', 'undo', 'passkey', 'merge'));
create index on account_tokens (merge_id) where merge_id is not null;
