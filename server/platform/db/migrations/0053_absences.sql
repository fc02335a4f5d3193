-- Days on which an instructor is away. Which lessons have nobody then is derived from these rows.
create table absences (
  id integer generated always as identity primary key,
  instructor_email text not null references instructors on update cascade on delete cascade,
  starts_on date not null,
  ends_on date not null check (ends_on >= starts_on),
  unique (instructor_email, starts_on, ends_on)
);
create index on absences (ends_on);
