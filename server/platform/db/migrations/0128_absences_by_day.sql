-- Days on which the person has announced not to attend, by the id of the lesson. A lesson that moves to another day is no
-- longer the one to which the person could not come. A portal of the version before, which still runs while several are
-- upgraded, stores only the ids.
alter table bookings add column absence_days jsonb not null default '{}';
update bookings b set absence_days = coalesce((
    select jsonb_object_agg(d.id, d.held_at::date) from course_dates d where d.id = any(b.announced_absences)), '{}')
  where announced_absences <> '{}';
