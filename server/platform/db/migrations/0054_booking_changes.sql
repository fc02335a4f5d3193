-- The transaction that last wrote the row. Rows of transactions older than every open one are complete, in this order:
-- a reader that follows them misses no row that commits late. Existing rows count as written by this migration.
alter table bookings add column changed_in xid8 not null default pg_current_xact_id();
create index on bookings (changed_in, id);

create function note_booking_transaction() returns trigger language plpgsql as $$
begin
  new.changed_in := pg_current_xact_id();
  return new;
end $$;
create trigger note_booking_transaction before update on bookings for each row execute function note_booking_transaction();
