-- A passkey that the department vouches for opens the desk: registered by the link of a mail, or in a session that another such
-- passkey had confirmed. Any other one is as good as the password: with it alone somebody may have added it.
alter table passkeys add column is_vouched boolean not null default false;
