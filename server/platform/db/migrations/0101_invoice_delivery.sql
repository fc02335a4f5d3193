-- The invoice attached to an inbox message.
alter table inbox_items add column invoice_number text references invoices on delete set null;
create index on inbox_items (invoice_number) where invoice_number is not null;

-- Batches are numbered without gaps: a preview, which is rolled back, used up a number of the sequence.
create function next_batch_id() returns integer language sql volatile as
  'select coalesce(max(id), 0) + 1 from batches';
alter table batches alter column id drop identity;
alter table batches alter column id set default next_batch_id();
