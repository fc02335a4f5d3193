-- Lessons that count for nobody's attendance (act exclude-lesson).
alter table course_dates add column is_excluded boolean not null default false;

-- Whose entries the ledger has. The name stays with open entries when the account is deleted; merged people have several.
create table ledger_accounts (
  id integer generated always as identity primary key,
  -- null: deleted account, billed by the columns below until ends_on
  web_user_id integer,
  name text not null default '',
  street text not null default '',
  zip text not null default '',
  city text not null default '',
  personnel_number text not null default '',
  billing_type smallint,
  division_id integer,
  is_verified boolean not null default false,
  ends_on date
);
create index on ledger_accounts (web_user_id);
create index on ledger_accounts (ends_on) where ends_on is not null;

-- Calculation of a course from attendance and proofs, with the facts it used. The one with the highest number counts.
create table settlements (
  id integer generated always as identity primary key,
  course_id integer not null,
  number integer not null,
  made_at timestamptz not null default clock_timestamp(),
  made_by integer,
  -- of the lines: the same facts give the same hash
  facts_hash bytea not null,
  unique (course_id, number)
);
create table settlement_lines (
  settlement_id integer not null references settlements,
  booking_id bigint not null,
  account_id integer not null references ledger_accounts,
  -- SettlementLine of server/features/money/rules.ts
  facts jsonb not null,
  primary key (settlement_id, booking_id)
);
create index on settlement_lines (account_id);

-- Signed amounts; the sum of a person's entries is the balance.
create table ledger_entries (
  id bigint generated always as identity primary key,
  account_id integer not null references ledger_accounts,
  -- null: concerns no course
  course_id integer,
  booking_id bigint,
  kind text not null check (kind in ('fee', 'processing-fee', 'energy-fee', 'late-cancellation', 'lessons-cancelled', 'waiver', 'floor',
    'goodwill', 'correction', 'write-off')),
  cents integer not null check (cents <> 0),
  settlement_id integer references settlements,
  made_at timestamptz not null default clock_timestamp(),
  made_by integer
);
create index on ledger_entries (account_id);
create index on ledger_entries (course_id, booking_id);

-- Why an entry was added by hand; beside the entry, because it may name people.
create table ledger_reasons (
  entry_id bigint primary key references ledger_entries,
  text text not null
);

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: correct it by a counter-entry', tg_table_name;
end $$;
create trigger refuse_change before update or delete on ledger_entries for each row execute function refuse_ledger_change();
create trigger refuse_truncate before truncate on ledger_entries for each statement execute function refuse_ledger_change();
create trigger refuse_change before update or delete on settlements for each row execute function refuse_ledger_change();
create trigger refuse_truncate before truncate on settlements for each statement execute function refuse_ledger_change();
create trigger refuse_change before update or delete on settlement_lines for each row execute function refuse_ledger_change();
create trigger refuse_truncate before truncate on settlement_lines for each statement execute function refuse_ledger_change();

-- The department's word on a person without a counted lesson (act decide-attendance).
create table attendance_decisions (
  booking_id bigint primary key references bookings on delete cascade,
  is_regular boolean not null,
  decided_at timestamptz not null default clock_timestamp(),
  decided_by integer
);
