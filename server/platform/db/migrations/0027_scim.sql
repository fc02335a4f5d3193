-- People as another program keeps them by SCIM: who of them is active is on the HR list.
create table scim_users (
  id uuid primary key default gen_random_uuid(),
  user_name text not null,
  external_id text,
  personnel_number text not null,
  employee_status smallint,
  division_id integer references divisions,
  is_active boolean not null,
  created_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp()
);
create unique index on scim_users (lower(user_name));
create unique index on scim_users (external_id) where external_id is not null;
create unique index on scim_users (personnel_number);
create index on scim_users (division_id) where division_id is not null;
create index on scim_users (created_at, id);
