-- What a booking was priced and is accounted by, as it was when it was made: a later change of the profile does not alter it.
alter table bookings
  add column employee_status smallint,
  add column personnel_number text not null default '',
  add column owner_personnel_number text not null default '',
  add column billing_type smallint,
  add column division_id integer references divisions,
  -- which of the course's prices counted
  add column price_rule text not null default 'fee' check (price_rule in ('fee', 'external'));

-- For what was booked before, the profile of today is the best there is.
update bookings b set employee_status = u.employee_status, personnel_number = u.personnel_number,
  owner_personnel_number = u.owner_personnel_number, billing_type = u.billing_type, division_id = u.division_id,
  price_rule = case u.employee_status when 2 then 'external' else 'fee' end
from web_users u where u.id = b.web_user_id;
