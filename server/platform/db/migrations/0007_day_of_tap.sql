-- Two weeks after a tap its day alone is kept (retention): the last moment of that day, a microsecond less for each later tap on the
-- same person and lesson that day, so that their order stays and nothing older than the day overwrites.
alter table attendance_changes add column is_day_only boolean not null default false;
create index attendance_changes_exact on attendance_changes (received_at) where not is_day_only;
alter table attendances add column is_day_only boolean not null default false;
create index attendances_exact on attendances (changed_at) where not is_day_only;
