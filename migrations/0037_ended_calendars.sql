-- expand
-- Accounts at Google and Microsoft that the business has disconnected. The server still has to close their channels there, and to
-- revoke the token. A row is deleted after that, or after the last attempt.
create table ended_calendars (
  id text primary key,
  provider text not null,
  address bytea not null,
  channels jsonb not null,
  -- The number of attempts so far.
  begun integer not null default 0,
  next_at timestamptz not null,
  leased_until timestamptz
);
