-- The last moment of a free cancellation, beside the reason of a charge for a late one.
alter table ledger_reasons add column free_until timestamp;
