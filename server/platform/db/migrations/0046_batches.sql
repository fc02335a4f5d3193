-- Entries handed to payroll or sent as invoices. Without closed_at a draft; a closed batch never changes.
create table batches (
  id integer generated always as identity primary key,
  kind text not null check (kind in ('payroll', 'invoice')),
  -- null: all divisions
  division_id integer,
  created_at timestamptz not null default clock_timestamp(),
  created_by integer,
  closed_at timestamptz,
  closed_by integer,
  answered_at timestamptz,
  -- of the file
  sha256 bytea,
  check ((closed_at is null) = (sha256 is null))
);

-- One payer in a closed batch.
create table batch_lines (
  id integer generated always as identity primary key,
  batch_id integer not null references batches,
  account_id integer not null references ledger_accounts,
  reference text not null unique,
  cents integer not null,
  -- keyOfRoute of server/features/money/rules.ts
  route text not null,
  state text not null default 'sent' check (state in ('sent', 'accepted', 'returned')),
  why text not null default ''
);
create index on batch_lines (batch_id);
create index on batch_lines (account_id);

-- Entries of a line. Those of a returned line are released and may go into another batch.
create table batch_entries (
  line_id integer not null references batch_lines,
  entry_id bigint not null references ledger_entries,
  is_released boolean not null default false,
  primary key (line_id, entry_id)
);
create unique index on batch_entries (entry_id) where not is_released;

-- The files of a closed batch, byte for byte as they were made.
create table batch_files (
  batch_id integer not null references batches,
  format text not null check (format in ('csv', 'xlsx', 'zip')),
  content bytea not null,
  primary key (batch_id, format)
);

-- Gapless numbers per year. Nothing is edited: a cancelling invoice is one of its own.
create table invoices (
  number text primary key,
  year integer not null,
  sequence integer not null,
  line_id integer references batch_lines,
  account_id integer not null references ledger_accounts,
  -- as printed
  name text not null,
  street text not null,
  zip text not null,
  city text not null,
  issued_on date not null,
  due_on date not null,
  cents integer not null,
  cancels text unique references invoices,
  reminded_at timestamptz,
  reminders integer not null default 0,
  pdf bytea not null,
  unique (year, sequence)
);
create index on invoices (account_id);
create index on invoices (line_id);

create table payments (
  id integer generated always as identity primary key,
  invoice_number text not null references invoices,
  paid_on date not null,
  cents integer not null check (cents > 0),
  made_at timestamptz not null default clock_timestamp(),
  made_by integer
);
create index on payments (invoice_number);

create function refuse_batch_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (to_jsonb(new) - array['state', 'why', 'is_released', 'answered_at', 'closed_at', 'closed_by', 'sha256', 'reminded_at', 'reminders'])
    is distinct from (to_jsonb(old) - array['state', 'why', 'is_released', 'answered_at', 'closed_at', 'closed_by', 'sha256', 'reminded_at', 'reminders'])
    or (tg_table_name = 'batches' and to_jsonb(old) ->> 'closed_at' is not null
      and (to_jsonb(new) - 'answered_at') is distinct from (to_jsonb(old) - 'answered_at')) then
    raise exception '% is append-only: correct it by a new batch', tg_table_name;
  end if;
  return new;
end $$;
create trigger refuse_change before update or delete on batches for each row execute function refuse_batch_change();
create trigger refuse_change before update or delete on batch_lines for each row execute function refuse_batch_change();
create trigger refuse_change before update or delete on batch_entries for each row execute function refuse_batch_change();
create trigger refuse_change before update or delete on batch_files for each row execute function refuse_batch_change();
create trigger refuse_change before update or delete on payments for each row execute function refuse_batch_change();
create trigger refuse_change before update or delete on invoices for each row execute function refuse_batch_change();
