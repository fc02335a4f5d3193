-- Booking files for accounting: each invoice, payment and refund is in one of them at most.
alter table batches drop constraint batches_kind_check,
  add constraint batches_kind_check check (kind in ('payroll', 'invoice', 'refund', 'accounting'));
create table postings (
  -- 'invoice 2027-000123', 'payment 17', 'refund 7-00012' or 'returned 7-00012'
  document text primary key,
  batch_id integer not null references batches,
  -- never negative: the document determines the side
  cents integer not null check (cents > 0)
);
create index on postings (batch_id);
create trigger refuse_change before update or delete on postings for each row execute function refuse_batch_change();
