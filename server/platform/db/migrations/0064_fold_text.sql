-- Comparable form of a name, as foldText of contract/normalize.ts: lower case without accents; ä = ae = a, ß = ss, ı = i.
create function fold_text(value text) returns text language sql immutable strict parallel safe as $$
  select replace(replace(replace(case
    when octet_length(value) = char_length(value) then lower(value)
    else lower(regexp_replace(normalize(replace(replace(value, 'ß', 'ss'), 'ı', 'i'), nfd), '[\u0300-\u036f]', '', 'g'))
  end, 'ae', 'a'), 'oe', 'o'), 'ue', 'u')
$$;
