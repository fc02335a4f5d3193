-- Rooms or a whole site that cannot be used from the first to the last day.
create table closures (
  id integer generated always as identity primary key,
  -- empty for a site
  room_ids integer[] not null,
  site text not null,
  starts_on date not null,
  ends_on date not null check (ends_on >= starts_on),
  check ((room_ids = '{}') = (site <> ''))
);
create index on closures (ends_on);
