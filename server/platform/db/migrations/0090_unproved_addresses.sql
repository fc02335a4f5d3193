-- Accounts that the department entered and nobody has logged in to: no password of any origin, no mailed one used (which
-- would have to be changed), no company login and no passkey.
update web_users u set is_address_unproved = true
where deleted_at is null and confirmed_at is not null and position('@' in email) > 0
  and password_hash is null and imported_password_hash is null and not is_password_to_change
  and not exists (select from company_accounts c where c.web_user_id = u.id)
  and not exists (select from passkeys p where p.web_user_id = u.id);
