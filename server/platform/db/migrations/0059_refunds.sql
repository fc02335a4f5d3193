alter table batches drop constraint batches_kind_check,
  add constraint batches_kind_check check (kind in ('payroll', 'invoice', 'refund'));
-- xml: payment order for the bank, with IBANs; deleted once the batch is answered
alter table batch_files drop constraint batch_files_format_check,
  add constraint batch_files_format_check check (format in ('csv', 'xlsx', 'zip', 'xml'));
-- the line of a refund that was set off against the invoice
alter table payments add column set_off_line_id integer references batch_lines;
create index on payments (set_off_line_id) where set_off_line_id is not null;

-- Where a refund is to be paid; deleted when the payment order is made.
create table payout_accounts (
  web_user_id integer primary key references web_users on delete cascade,
  iban text not null,
  entered_at timestamptz not null default clock_timestamp()
);

create function refuse_batch_file_deletion() returns trigger language plpgsql as $$
begin
  if old.format = 'xml' and exists (select from batches b where b.id = old.batch_id and b.answered_at is not null) then
    return old;
  end if;
  raise exception '% is append-only: correct it by a new batch', tg_table_name;
end $$;
drop trigger refuse_change on batch_files;
create trigger refuse_change before update on batch_files for each row execute function refuse_batch_change();
create trigger refuse_deletion before delete on batch_files for each row execute function refuse_batch_file_deletion();
