-- Who does a job has it leased, and it is due until it has ended: what a server died over waits for nobody's next day.
alter table housekeeping
  add column leased_until timestamptz,
  -- How often it was begun since it last ended, and how often in a row it failed.
  add column begun integer not null default 0,
  add column failures integer not null default 0,
  add column ran_at timestamptz;
