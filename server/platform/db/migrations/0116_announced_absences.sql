-- Ids of lessons that the person has announced not to attend. They change neither the seat nor what is counted.
alter table bookings add column announced_absences integer[] not null default '{}';
