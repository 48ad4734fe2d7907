-- When the last backup was taken, whichever server or command took it.
create table last_backup (
  only_row boolean primary key default true check (only_row),
  taken_at timestamptz not null,
  bytes bigint not null
);
