-- Letters without a decomposition: Łukasz is found as Lukasz, Đorđević as Dordevic, as foldText of contract/normalize.ts does.
create or replace function fold_text(value text) returns text language sql immutable strict parallel safe as $$
  select replace(replace(replace(case
    when octet_length(value) = char_length(value) then lower(value)
    else lower(regexp_replace(normalize(replace(translate(value, 'ıŁłĐđÐðØøÆæŒœ', 'illddddooaaoo'), 'ß', 'ss'), nfd), '[\u0300-\u036f]', '', 'g'))
  end, 'ae', 'a'), 'oe', 'o'), 'ue', 'u')
$$;

-- Updated rows get their search_text again.
update web_users set given_name = given_name
where concat(given_name, family_name, personnel_number, email) ~ '[ŁłĐđÐðØøÆæŒœ]';
