-- With the number, when the account was made: a list of another database names other people by the same numbers.
-- null: deleted before this was written down
alter table deleted_accounts add column created_at timestamptz;

-- While its only row is there, no mail, push or webhook call is sent: since a restore, until the operator releases them.
create table outgoing_hold (
  is_held boolean primary key default true check (is_held),
  since timestamptz not null default clock_timestamp()
);
