-- A turnover of a bank statement may pay several invoices, take a payment back, return a refund, or repeat a payment that is already
-- recorded. source: such as 'camt.053'; '' before this version.
alter table bank_lines drop constraint bank_lines_cents_check, add check (cents <> 0),
  add column source text not null default '',
  add column is_dropped boolean not null default false,
  -- the payment that a dropped turnover repeats
  add column repeats_payment_id integer references payments,
  -- the line of a refund that came back
  add column batch_line_id integer references batch_lines;
alter table payments drop constraint payments_bank_line_id_key, drop constraint payments_cents_check, add check (cents <> 0);
create index on payments (bank_line_id) where bank_line_id is not null;
create index on bank_lines (booked_on, cents);

-- CSV layouts whose columns a person has assigned. header: the column names by which a layout is recognized.
create table bank_csv_layouts (
  header text primary key,
  columns jsonb not null,
  made_at timestamptz not null default clock_timestamp(),
  made_by integer
);
