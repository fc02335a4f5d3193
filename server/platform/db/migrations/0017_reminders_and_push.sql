-- browsers that show what the portal pushes to their person
create table push_subscriptions (
  id bigint generated always as identity primary key,
  web_user_id integer not null references web_users on delete cascade,
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null default clock_timestamp()
);
create index on push_subscriptions (web_user_id);

-- What a person was told because it was due. `about` names the occasion: a second row for it cannot be, whoever looks.
create table alerts (
  id bigint generated always as identity primary key,
  web_user_id integer not null references web_users on delete cascade,
  kind text not null,
  about text not null,
  -- what a mail in place of a push would tell, and for how long that is news
  payload jsonb not null,
  ends_at timestamptz not null,
  is_mailed boolean not null,
  created_at timestamptz not null default clock_timestamp(),
  unique (web_user_id, kind, about)
);
create index on alerts (created_at);

-- the outbox of pushes: one for each browser of the person
create table pushes (
  id bigint generated always as identity primary key,
  alert_id bigint not null references alerts on delete cascade,
  subscription_id bigint not null references push_subscriptions on delete cascade,
  attempts integer not null default 0,
  due_at timestamptz not null default clock_timestamp(),
  sent_at timestamptz,
  unique (alert_id, subscription_id)
);
create index pushes_due on pushes (due_at) where sent_at is null;
create index on pushes (subscription_id);
