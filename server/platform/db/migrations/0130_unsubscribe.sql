-- Signs the links in reminders that end them without a login (RFC 8058).
insert into secrets values ('unsubscribe', uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
