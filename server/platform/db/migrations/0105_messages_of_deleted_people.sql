-- Messages to one person that are not sent yet are deleted with the account; their text can be about the person.
delete from desk_messages where fields ->> 'to' = 'person' and person_id is null;
alter table desk_messages drop constraint desk_messages_person_id_fkey,
  add constraint desk_messages_person_id_fkey foreign key (person_id) references web_users on delete cascade;
