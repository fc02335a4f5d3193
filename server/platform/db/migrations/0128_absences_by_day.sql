-- Days on which the person has announced not to attend, by the id of the lesson. A lesson that moves to another day is no
-- longer the one to which the person could not come.
alter table bookings add column absences_by_lesson jsonb not null default '{}';
update bookings b set absences_by_lesson = coalesce((
    select jsonb_object_agg(d.id, d.held_at::date) from course_dates d where d.id = any(b.announced_absences)), '{}')
  where announced_absences <> '{}';
alter table bookings drop column announced_absences;
alter table bookings rename column absences_by_lesson to announced_absences;
