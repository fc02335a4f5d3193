-- when a passkey was last shown in the session; confirmed_at moves on with use
alter table sessions add column passkey_at timestamptz;

-- Rights of an invited person, which take effect with the first login.
create table invited_rights (
  web_user_id integer not null references web_users on delete cascade,
  "right" text not null check ("right" in ('programme', 'bookings', 'billing', 'content', 'record', 'owner')),
  invited_at timestamptz not null default clock_timestamp(),
  primary key (web_user_id, "right")
);

-- Earlier versions let rights be granted to registrations that nobody had confirmed.
delete from office_rights r using web_users u where u.id = r.web_user_id and u.state = 'claimed';

-- the department entered the address, and nobody has proved it since
alter table web_users add column is_address_unproved boolean not null default false;
