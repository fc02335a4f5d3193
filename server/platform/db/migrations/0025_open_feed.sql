-- What the feed for others has said of a course, and when: they ask for what changed since.
create table feed_items (
  course_id integer primary key,
  modified bigint not null unique,
  -- SHA-256 of what was said; null: it is gone
  fingerprint bytea
);
