-- Proof of control (docs/accounts.md): what somebody may do hangs on one state.
alter table web_users
  -- when the department named this address in users.csv; null again once the person declares another status or number
  add column known_at timestamptz,
  -- closed by the department or the portal: nobody gets in, what hangs on it stays
  add column locked_at timestamptz,
  add column state text not null generated always as (
    case when deleted_at is not null then 'deleted'
      when locked_at is not null then 'locked'
      when confirmed_at is null then 'claimed'
      when known_at is null then 'proved'
      else 'known' end) stored;

-- Only of those who came with a password it is certain that an import named them; the next import marks the others.
update web_users set known_at = created_at where imported_password_hash is not null and deleted_at is null;

-- whether the status and number of a booking were the department's own when it was made
alter table bookings add column is_person_known boolean not null default false;

-- 'undo': the "this was not me" of a notice. new_email is then the address that the account gets back
alter table account_tokens drop constraint account_tokens_purpose_check;
alter table account_tokens add constraint account_tokens_purpose_check check (purpose in ('activation', 'new-email', 'undo'));

-- who changed what of a person's status, numbers and billing, and when: the kinds only (separated by blanks), no values
create table account_changes (
  id bigint generated always as identity primary key,
  web_user_id integer not null references web_users on delete cascade,
  changed_at timestamptz not null default clock_timestamp(),
  -- 'person': from the profile
  actor text not null check (actor in ('person', 'import')),
  kinds text not null
);
create index on account_changes (web_user_id);

create function note_account_change() returns trigger language plpgsql as $$
begin
  insert into account_changes (web_user_id, actor, kinds)
  values (new.id, coalesce(nullif(current_setting('portal.actor', true), ''), 'person'), concat_ws(' ',
    case when new.employee_status is distinct from old.employee_status then 'status' end,
    case when new.personnel_number <> old.personnel_number then 'personnelNumber' end,
    case when new.owner_personnel_number <> old.owner_personnel_number then 'ownerPersonnelNumber' end,
    case when new.billing_type is distinct from old.billing_type then 'billing' end,
    case when new.division_id is distinct from old.division_id then 'division' end));
  return null;
end $$;

-- Whatever changes a profile, now or later, cannot pass it by.
create trigger note_account_change after update on web_users for each row
when (new.deleted_at is null and
  (new.employee_status, new.personnel_number, new.owner_personnel_number, new.billing_type, new.division_id)
  is distinct from
  (old.employee_status, old.personnel_number, old.owner_personnel_number, old.billing_type, old.division_id))
execute function note_account_change();
