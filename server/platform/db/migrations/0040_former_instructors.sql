-- Who taught a lesson until a moment: a tick made before a replacement arrives later and is judged by who taught at that moment.
create table former_instructors (
  id bigint generated always as identity primary key,
  course_id integer not null references courses on delete cascade,
  -- null: every lesson of the course
  course_date_id integer references course_dates on delete cascade,
  -- null: the instructors of the course taught the lesson
  email text references instructors on update cascade on delete cascade,
  until timestamptz not null default clock_timestamp()
);
create index on former_instructors (course_date_id, until);
create index on former_instructors (course_id, email) where course_date_id is null;
create index on former_instructors (email);

create function keep_former_substitute() returns trigger language plpgsql as $$
begin
  insert into former_instructors (course_id, course_date_id, email)
  -- An instructor whose profile is deleted has taught nothing any more.
  select old.course_id, old.id, old.instructor_email
  where old.instructor_email is null or exists (select from instructors where email = old.instructor_email);
  return null;
end $$;
create trigger keep_former_substitute after update of instructor_email on course_dates for each row
when (old.instructor_email is distinct from new.instructor_email) execute function keep_former_substitute();

create function keep_former_instructor() returns trigger language plpgsql as $$
begin
  insert into former_instructors (course_id, email)
  select c.id, i.email from courses c, instructors i where c.id = old.course_id and i.email = old.email;
  return null;
end $$;
create trigger keep_former_instructor after delete on course_instructors for each row execute function keep_former_instructor();
