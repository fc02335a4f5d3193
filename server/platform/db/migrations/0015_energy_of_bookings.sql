-- who has booked keeps the energy fee that was agreed on, too
alter table bookings add column energy_cents integer not null default 0 check (energy_cents >= 0);
update bookings b set energy_cents = c.energy_fee_cents from courses c where c.id = b.course_id;
