-- What the law makes the department keep of a paid booking whose person has deleted the account. Nothing leads from here to the
-- booking, no call of the portal reads it, and each record ends on a date of its own.
create table billing_records (
  id bigint generated always as identity primary key,
  name text not null,
  street text not null,
  zip text not null,
  city text not null,
  course_number text not null,
  amount_cents integer not null check (amount_cents > 0),
  booked_on date not null,
  ends_on date not null
);
create index on billing_records (ends_on);

-- Accounts deleted before this table was there held the same in their emptied row.
insert into billing_records (name, street, zip, city, course_number, amount_cents, booked_on, ends_on)
select concat_ws(' ', nullif(u.title, ''), nullif(u.given_name, ''), u.family_name), u.street, u.zip, u.city, c.number,
  b.price_cents + c.energy_fee_cents, b.booked_at::date, (b.booked_at + interval '10 years')::date
from web_users u join bookings b on b.web_user_id = u.id join courses c on c.id = b.course_id
where u.deleted_at is not null and u.family_name <> '—' and b.state = 1 and b.cancelled_at is null and b.price_cents > 0
  and b.booked_at > clock_timestamp() - interval '10 years';

update web_users set form_of_address = 'Divers', title = '', given_name = '', family_name = '—', employee_status = null,
  personnel_number = '', owner_personnel_number = '', billing_type = null, division_id = null, street = '', zip = '', city = ''
where deleted_at is not null;

update bookings b set employee_status = null, personnel_number = '', owner_personnel_number = '', billing_type = null, division_id = null
from web_users u where u.id = b.web_user_id and u.deleted_at is not null;
