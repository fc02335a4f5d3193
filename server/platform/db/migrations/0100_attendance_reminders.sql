-- When the department last reminded the instructors of a lesson to record its attendance.
alter table course_dates add column reminded_at timestamptz;
