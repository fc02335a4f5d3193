-- Licence and fee of instructors, and equipment of rooms, for the department only.
alter table instructors
  add column licence text not null default '',
  add column licence_until date,
  add column hourly_fee_cents integer not null default 0 check (hourly_fee_cents >= 0);
alter table rooms add column equipment text not null default '';
