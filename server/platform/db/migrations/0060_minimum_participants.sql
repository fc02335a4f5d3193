-- How many participants a course needs, and the day on which the department decides whether it takes place.
alter table courses
  add column min_participants integer not null default 0 check (min_participants >= 0),
  add column decide_on date;
