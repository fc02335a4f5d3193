-- Uploads that no act has used yet count against a quota of whoever sent them.
alter table office_files add column web_user_id integer references web_users on delete cascade;
create index on office_files (web_user_id);
