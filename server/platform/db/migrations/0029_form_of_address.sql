-- Who has not said how they are addressed is no Frau by that; '': not said.
alter table web_users alter column form_of_address set default '';
