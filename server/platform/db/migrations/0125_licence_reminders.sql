-- Last day of the licence of which the instructor was last reminded.
alter table instructors add column licence_reminded_for date;
