-- A cancelled booking may cost the processing fee, a share or the full price; the amount agreed to is stored.
alter table bookings drop constraint bookings_charge_check;
alter table bookings
  add constraint bookings_charge_check check (charge in ('none', 'processing', 'share', 'full')),
  add column charge_cents integer not null default 0 check (charge_cents >= 0);
update bookings set charge_cents = price_cents + energy_cents where charge = 'full';
