-- How many lessons the course had that this one was copied from, to find those that got fewer.
alter table courses add column copied_lessons integer check (copied_lessons >= 0);
