-- A presence that was taken back: nothing is recorded, and an older change that arrives later does not count.
alter table attendances alter column is_present drop not null;
alter table attendance_changes alter column is_present drop not null;
