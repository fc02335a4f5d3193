-- Credits of imported bank statements that paid an invoice; the hash of a line's content keeps it from paying twice.
create table bank_lines (
  id integer generated always as identity primary key,
  hash bytea not null unique,
  booked_on date not null,
  cents integer not null check (cents > 0),
  made_at timestamptz not null default clock_timestamp()
);
create trigger refuse_change before update or delete on bank_lines for each row execute function refuse_batch_change();
alter table payments add column bank_line_id integer unique references bank_lines;
