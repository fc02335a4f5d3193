-- Names are sorted as in a German telephone book (DIN 5007-2), whatever the locale of the database. The same order is
-- computed by contract/name-order.ts.
create collation telephone_book (provider = icu, locale = 'de-u-co-phonebk');

create function name_key(family_name text) returns text language sql immutable strict parallel safe as $$
  select regexp_replace(family_name, '^(?:(?:af|al|am|an|auf|aus|av|bei|bin|d|da|dal|dalla|das|de|dei|del|della|delle|dem|den|der|des|di|do|dos|du|e|el|ibn|im|in|la|las|le|les|lo|los|op|te|ten|ter|uit|und|van|vom|von|vor|y|zu|zum|zur) +)+(?=[^ ])', '')
$$;
