-- One row for each server, updated when somebody asks for its health: whether the database commits is known only by committing.
create table write_checks (
  server text primary key,
  checked_at timestamptz not null
);
