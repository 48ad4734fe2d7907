-- When each job of housekeeping is due next: of several servers the first that notices does it. Who does a job has it leased,
-- and it is due until it has ended: what a server died over waits for nobody's next day.
create table housekeeping (
  job text primary key,
  next_at timestamptz not null,
  leased_until timestamptz,
  -- How often it was begun since it last ended, and how often in a row it failed.
  begun integer not null default 0,
  failures integer not null default 0,
  ran_at timestamptz
);

-- When the last backup was taken, whichever server or command took it.
create table last_backup (
  only_row boolean primary key default true check (only_row),
  taken_at timestamptz not null,
  bytes bigint not null
);
