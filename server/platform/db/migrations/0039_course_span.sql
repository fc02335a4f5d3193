-- First and last day, weekdays and the closing moment of a course are derived from its lessons. The span that a programme gives
-- only generates lessons: its columns become plan_*, and the old names hold the derived values.
alter table courses add column plan_starts_on date, add column plan_ends_on date, add column plan_day smallint check (plan_day between 0 and 6),
  -- 0 Sunday to 6 Saturday, ascending
  add column weekdays smallint[] not null default '{}';
update courses set plan_starts_on = starts_on, plan_ends_on = ends_on, plan_day = day;
alter table courses alter column plan_starts_on set not null, alter column plan_ends_on set not null, alter column plan_day set not null;

-- The only writer of these columns. A course whose lessons are all cancelled has the span of those, one without lessons the planned one.
-- Moved and extra lessons are changes: they count as weekdays only where no regular lesson takes place.
create function derive_course_span() returns trigger language plpgsql as $$
declare
  last_at timestamp;
begin
  select coalesce(min(l.held_at) filter (where is_held)::date, min(l.held_at)::date, new.plan_starts_on),
    coalesce(max(l.held_at) filter (where is_held), max(l.held_at), new.plan_ends_on + new.start_time),
    coalesce((array_agg(l.dow order by l.held_at) filter (where is_regular))[1],
      (array_agg(l.dow order by l.held_at) filter (where is_held))[1], (array_agg(l.dow order by l.held_at))[1], new.plan_day),
    coalesce(array_agg(distinct l.dow) filter (where is_regular), array_agg(distinct l.dow) filter (where is_held),
      array_agg(distinct l.dow), array[new.plan_day])
  into new.starts_on, last_at, new.day, new.weekdays
  from (
    select held_at, extract(dow from held_at)::smallint as dow, state = 'planned' as is_held,
      state = 'planned' and moved_from is null and not is_extra as is_regular
    from course_dates where course_id = new.id
  ) l;
  new.ends_on := last_at::date;
  new.closes_at := least(new.cancelled_at, last_at::timestamptz);
  return new;
end $$;
create trigger derive_course_span
before insert or update of starts_on, plan_starts_on, plan_ends_on, plan_day, start_time, cancelled_at
on courses for each row execute function derive_course_span();

create function derive_course_spans() returns trigger language plpgsql as $$
begin
  -- The trigger above sets the derived values; assigning one of them makes it fire.
  update courses c set starts_on = starts_on
  from (select distinct course_id from changed_lessons order by course_id) l where c.id = l.course_id;
  return null;
end $$;
create trigger derive_spans_of_added after insert on course_dates referencing new table as changed_lessons
for each statement execute function derive_course_spans();
create trigger derive_spans_of_changed after update on course_dates referencing new table as changed_lessons
for each statement execute function derive_course_spans();
create trigger derive_spans_of_removed after delete on course_dates referencing old table as changed_lessons
for each statement execute function derive_course_spans();

update courses set starts_on = starts_on;
