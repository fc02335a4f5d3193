-- the notice to the address that counted before is one that somebody has to know at once
alter table mails drop column is_urgent;
alter table mails add column is_urgent boolean not null generated always as (
  kind in (
    'activation', 'email-changed', 'new-device', 'new-email', 'new-email-notice', 'password-changed', 'password-reset'
  )) stored;
create index mails_due on mails (is_urgent desc, due_at, id) where sent_at is null;
