-- Messages of the desk that are not sent yet: drafts, templates, and messages with a time to be sent at. `fields` are those
-- of the act `send-message`; `problem`: why a message was not sent at its time.
create table desk_messages (
  id integer generated always as identity primary key,
  state text not null check (state in ('draft', 'template', 'scheduled')),
  fields jsonb not null,
  send_at timestamptz check ((send_at is not null) = (state = 'scheduled')),
  -- account that wrote it; no reference, because it outlives the account
  written_by integer,
  problem text not null default '',
  changed_at timestamptz not null default clock_timestamp()
);
create index on desk_messages (send_at) where state = 'scheduled';

-- Audit log line of the message that a mail belongs to.
alter table outbox add column record_number bigint;
create index on outbox (record_number) where record_number is not null;
