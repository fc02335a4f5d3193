-- a personnel number is looked up for each person who is shown
create index on web_users (personnel_number) where personnel_number <> '';
-- what somebody who types a search did a moment ago
create index on office_reads (reader_id, read_at) where web_user_id is null;
create index on letters (id) where printed_at is null;
