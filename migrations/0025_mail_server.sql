-- expand
-- The mail server that an owner entered at the desk. The table has at most one row. The password is encrypted.
-- Each change inserts a new row with a new revision, so that every process notices the change.
create table mail_server (
  only_row boolean primary key default true check (only_row),
  revision bigint generated always as identity,
  host text not null,
  port integer not null,
  security text not null check (security in ('tls', 'starttls')),
  username text,
  password bytea,
  sender text not null
);
