-- Transmissions of a message to which the receiver did not respond: it may have accepted each of them.
alter table outbox add column unanswered integer not null default 0;

create or replace view mails as
select id, web_user_id, recipient, language, kind, payload, created_at, attempts, due_at, sent_at, last_error, is_urgent, again_at,
  unanswered
from outbox where channel = 'mail';
