-- A waiting person who can take no place, locked or with a division that became online-only, keeps the number but is not
-- counted in courses.taken, so that the place goes to the next person. The time remains once the person counts again.
alter table bookings add column is_passed_over boolean not null default false, add column passed_over_at timestamptz;
