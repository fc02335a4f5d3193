-- Figures of the report of a closed season (act close-season): neither deleted people nor later changes alter them.
create table season_reports (
  season_id integer primary key references seasons on delete cascade,
  closed_at timestamptz not null default clock_timestamp(),
  closed_by integer,
  -- seasonFigures of contract/office-report.ts
  figures jsonb not null
);
create trigger refuse_change before update on season_reports for each row execute function refuse_ledger_change();
