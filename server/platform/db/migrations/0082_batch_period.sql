-- Month for which payroll deducts the amounts of a batch, 'YYYY-MM'; null: the month in which it is closed.
alter table batches add column period text check (period ~ '^[0-9]{4}-[0-9]{2}$');
