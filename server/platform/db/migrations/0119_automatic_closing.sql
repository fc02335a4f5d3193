-- Whether ended courses are reminded and settled without an act of the department, and when it was last told what waits.
alter table programme add column is_closing_automatic boolean not null default false;
alter table programme add column closing_reported_on date;
