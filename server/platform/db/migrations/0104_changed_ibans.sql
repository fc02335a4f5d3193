-- When a person replaced an IBAN by another one: runs of refunds drafted before then do not use it.
alter table payout_accounts add column changed_at timestamptz;
