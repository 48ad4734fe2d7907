-- expand
-- CalDAV accounts into which the server writes the bookings of their person or room.
create table calendar_writers (
  id text primary key references calendar_sources on delete cascade,
  resource_id text not null,
  -- The name of the calendar in the account. Null after the owner has ended the writing, until the coming events are removed.
  calendar text,
  -- Whether the events contain the names of customers.
  names boolean not null,
  -- Where the calendars of the account are, and the state of the calendar when the server last compared its events.
  home jsonb,
  version text,
  -- The server has looked at all entries of the audit log up to the first number. It looks twice at those up to the second, because a
  -- change with a lower number can be committed later.
  seen_before bigint not null,
  seen_until bigint not null,
  -- The last time when the calendar was as the server wants it.
  written_at timestamptz,
  problem text,
  failing_since timestamptz,
  failures integer not null default 0,
  next_at timestamptz not null,
  leased_until timestamptz,
  begun integer not null default 0
);

-- Bookings and classes whose events may have to be written. One of them can have several rows, which the server handles at once.
create table calendar_writes (
  number bigint generated always as identity primary key,
  writer_id text not null references calendar_writers on delete cascade,
  -- The id of a booking or of a class session.
  subject text not null
);
create index calendar_writes_of_writer on calendar_writes (writer_id, number);

-- The events that the server has written.
create table written_events (
  writer_id text not null references calendar_writers on delete cascade,
  subject text not null,
  -- The address of the event.
  address text not null,
  -- The version of the event that the server knows. Null if the CalDAV server has not told it.
  etag text,
  -- The digest of the content that the server has written. Empty if the event must be written again.
  digest bytea not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- What the staff must decide or know: the event was `deleted` there, or `put_back` after a change there that is not allowed.
  question text check (question in ('deleted', 'put_back')),
  asked_at timestamptz,
  -- The start to which the event was moved there, and the error code of the refusal.
  tried_start timestamptz,
  refusal text,
  primary key (writer_id, subject)
);
create index written_events_open on written_events (subject) where question is not null;
