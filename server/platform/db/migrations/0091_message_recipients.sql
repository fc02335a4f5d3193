-- The recipient of a message to one person, which was only in `fields` and outlived the account there. Messages that are
-- not sent yet are deleted with the account, because their text can be about the person.
delete from desk_messages m
where m.fields ->> 'to' = 'person' and m.fields ->> 'toId' is not null
  and not exists (select from web_users u where u.id = (m.fields ->> 'toId')::int and u.deleted_at is null);
alter table desk_messages add column person_id integer references web_users on delete cascade;
create index on desk_messages (person_id) where person_id is not null;
update desk_messages set person_id = (fields ->> 'toId')::int where fields ->> 'to' = 'person';
update desk_messages set fields = fields || '{"toId": null}' where fields ->> 'to' = 'person';
