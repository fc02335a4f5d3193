-- Whether the holder of the personnel number had agreed to pay for the deleted account (billing type 2).
alter table ledger_accounts add column has_consent boolean not null default false;
-- Accounts deleted before without a billing type: the one that followed from the employment status (own personnel number).
-- Externals verified by the department may have a number too, so it must be on the HR list.
update ledger_accounts a set billing_type = 1
  where web_user_id is null and billing_type is null and is_verified
    and exists (select from eligible_people e where e.personnel_number = a.personnel_number);
