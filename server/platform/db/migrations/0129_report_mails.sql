alter table reminders add column report_weekly boolean not null default false,
  add column report_monthly boolean not null default false,
  -- first days of the last week and month for which the report was queued
  add column report_week date,
  add column report_month date;
