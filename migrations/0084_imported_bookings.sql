-- Bookings that another system had, by what it called them: whoever imports the same once more changes nothing. The digest is of what
-- was said of when, what and with whom, so that another time under the same key is noticed.
create table imported_bookings (
  source text not null,
  key text not null,
  digest text not null,
  booking_id text not null references bookings,
  imported_at timestamptz not null,
  primary key (source, key)
);
