-- Backups write each table after the tables that it references, so bank_lines and payments cannot reference each other.
-- Payments are never deleted.
alter table bank_lines drop constraint bank_lines_repeats_payment_id_fkey;
