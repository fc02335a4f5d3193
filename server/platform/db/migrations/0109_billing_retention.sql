-- Names, addresses and PDF of an invoice, and the files of a batch, end ten years after the year in which they were made
-- (retention rules). Amounts, numbers and checksums remain.
create or replace function refuse_batch_change() returns trigger language plpgsql as $$
declare
  changeable text[] := array['state', 'why', 'is_released', 'answered_at', 'closed_at', 'closed_by', 'sha256', 'reminded_at', 'reminders'];
begin
  if tg_op = 'UPDATE' and tg_table_name = 'invoices' and to_jsonb(new) ->> 'name' = ''
    and (to_jsonb(old) ->> 'issued_on')::date < date_trunc('year', clock_timestamp()) - interval '10 years' then
    changeable := changeable || array['name', 'street', 'zip', 'city', 'pdf'];
  end if;
  if tg_op = 'DELETE' or (to_jsonb(new) - changeable) is distinct from (to_jsonb(old) - changeable)
    or (tg_table_name = 'batches' and to_jsonb(old) ->> 'closed_at' is not null
      and (to_jsonb(new) - 'answered_at') is distinct from (to_jsonb(old) - 'answered_at')) then
    raise exception '% is append-only: correct it by a new batch', tg_table_name;
  end if;
  return new;
end $$;

create or replace function refuse_batch_file_deletion() returns trigger language plpgsql as $$
begin
  if old.format = 'xml' or exists (
    select from batches b
    where b.id = old.batch_id and b.closed_at < date_trunc('year', clock_timestamp()) - interval '10 years') then
    return old;
  end if;
  raise exception '% is append-only: correct it by a new batch', tg_table_name;
end $$;
