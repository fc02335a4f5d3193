-- Named defaults from which the department creates courses: values of course fields, as create-course accepts them.
create table course_templates (
  id integer generated always as identity primary key,
  name text not null unique,
  fields jsonb not null,
  version integer not null default 1
);
