-- The scope `programme` now performs acts: tokens made before stay read-only.
update service_tokens set scopes = array_replace(scopes, 'programme', 'programme-read');

-- An act is performed by an account or with a service token.
alter table office_acts alter column actor_id drop not null, add column token_id integer,
  add constraint office_acts_actor check (num_nonnulls(actor_id, token_id) = 1);
