-- Whose account was deleted: written to a file beside the database too, so that a restored backup does not bring people back.
create table deleted_accounts (
  web_user_id integer primary key,
  deleted_at timestamptz not null default clock_timestamp()
);
