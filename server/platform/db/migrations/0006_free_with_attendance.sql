-- employees and pensioners pay no fee once their attendance was regular
alter table courses add column is_free_with_attendance boolean not null default false;
