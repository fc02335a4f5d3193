-- The order in which booking requests were received, as published for each course: the root of a Merkle tree (RFC 9162)
-- over one leaf per request.
create table booking_orders (
  course_id integer primary key references courses on delete cascade,
  season_id integer not null references seasons on delete cascade,
  published_at timestamptz not null default clock_timestamp(),
  places integer not null,
  root bytea not null
);
create index on booking_orders (season_id);

create table booking_order_leaves (
  course_id integer not null references courses on delete cascade,
  number integer not null,
  -- null, as are the following two: the account or the booking has been deleted
  booking_id bigint references bookings on update set null on delete set null,
  asked_at timestamptz,
  -- random, so that nobody can find by trial to which request a hash belongs
  token uuid,
  hash bytea not null,
  primary key (course_id, number)
);
create index on booking_order_leaves (booking_id);
