-- A stored answer of an act may name people by e-mail address. The addresses are removed with the account.
create function forget_act_answers() returns trigger language plpgsql as $$
declare
  named record;
begin
  for named in
    with answers as materialized (select act_id, answer::text as text from office_acts where answer::text like '%@%')
    select a.act_id, to_json(g.email)::text as email from answers a join gone g on strpos(a.text, to_json(g.email)::text) > 0
    where g.email like '%@%'
  loop
    update office_acts set answer = replace(answer::text, named.email, '""')::jsonb where act_id = named.act_id;
  end loop;
  return null;
end $$;
create trigger forget_act_answers after delete on web_users referencing old table as gone
  for each statement execute function forget_act_answers();
