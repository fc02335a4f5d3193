-- Former values of the lessons, courses and bookings that an act changed, for its undo.
alter table office_acts add column replaced jsonb;
