-- A payment order is deleted once its batch is answered, or 60 days after it was made (retention rules): the IBANs in it are no longer
-- needed.
create or replace function refuse_batch_file_deletion() returns trigger language plpgsql as $$
begin
  if old.format = 'xml' then
    return old;
  end if;
  raise exception '% is append-only: correct it by a new batch', tg_table_name;
end $$;
