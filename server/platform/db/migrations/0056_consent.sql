-- Explicit consent to the processing of a sick note (Art. 9 (2) (a) GDPR): when, to which text, and when it was withdrawn. Sick notes
-- from before were sent with the first text.
alter table proofs add column consented_at timestamptz, add column consent_version text, add column consent_withdrawn_at timestamptz;
update proofs set consented_at = created_at, consent_version = '1' where kind = 'sick';
alter table proofs add check ((kind = 'sick') = (consented_at is not null) and (consented_at is null) = (consent_version is null));
