-- Whether the holder of the personnel number had agreed to pay for the deleted account (billing type 2).
alter table ledger_accounts add column has_consent boolean not null default false;
