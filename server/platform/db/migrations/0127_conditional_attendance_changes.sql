-- Whether a change had no effect if it met another record, which the comparison of records with changes must not report.
alter table attendance_changes add column is_conditional boolean not null default false;
