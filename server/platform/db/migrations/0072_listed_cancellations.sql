-- Until when a booking that ended because its course was cancelled remains in the person's list of courses; null once
-- the person has opened the course's page.
alter table bookings add column listed_until timestamptz;
