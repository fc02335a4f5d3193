-- The fee from the person's verification on: set while an unverified person pays as an external.
alter table bookings add column price_cents_once_verified integer check (price_cents_once_verified >= 0);
create index on bookings (web_user_id) where price_cents_once_verified is not null;
