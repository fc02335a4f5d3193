-- The recipient of a message to one person, which was only in `fields` and outlived the account there.
alter table desk_messages add column person_id integer references web_users on delete set null;
create index on desk_messages (person_id) where person_id is not null;
update desk_messages m set person_id = u.id from web_users u
where m.fields ->> 'to' = 'person' and u.id = (m.fields ->> 'toId')::int and u.deleted_at is null;
update desk_messages set fields = fields || '{"toId": null}' where fields ->> 'to' = 'person';
