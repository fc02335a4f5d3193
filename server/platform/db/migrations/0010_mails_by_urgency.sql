-- What opens an account is made when its mail is sent: no row holds it.
update mails set payload = payload - array['password', 'token'] where payload ?| array['password', 'token'];

-- The new name keeps the senders of older versions, which read secrets from the rows, away from them.
alter table mails rename column next_attempt_at to due_at;

-- what somebody waits for before they can go on, or has to know at once
alter table mails add column is_urgent boolean not null generated always as
  (kind in ('activation', 'new-device', 'new-email', 'new-email-notice', 'password-changed', 'password-reset')) stored;
drop index mails_due;
create index mails_due on mails (is_urgent desc, due_at, id) where sent_at is null;

comment on column web_users.reset_password_hash is
  'SHA-256 of a mailed password: works once, until it expires; two with a blank between them when its mail was sent twice';
