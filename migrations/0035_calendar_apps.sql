-- expand
-- The app of the business at a provider of calendars, such as Google. With this app, staff connect their calendars. The secret is
-- encrypted. Each change inserts a new row with a new revision, so that a connection that began before the change fails.
create table calendar_apps (
  provider text primary key,
  client_id text not null,
  client_secret bytea not null,
  revision bigint generated always as identity
);
