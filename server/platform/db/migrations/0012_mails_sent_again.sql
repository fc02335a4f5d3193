-- when an operator had a given-up mail sent again: the days in which it may fail count from here
alter table mails add column again_at timestamptz;
