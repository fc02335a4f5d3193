-- The department put a member of an online-only division into an on-site course. Such a waiting person is not passed over.
alter table bookings add column is_onsite_permitted boolean not null default false;
