-- An act that is sent again is answered with the same bytes: unlike jsonb, json keeps the order of the fields.
alter table office_acts alter column answer type json using answer::json;
