-- Bookings that a change of the definition left without what they were agreed with, until somebody has dealt with them.
-- It is told of a booking as it was then: one that was moved since is stranded no more, and is again when it is moved back.
create table stranded_bookings (
  booking_id text primary key references bookings,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  resource_ids text[] not null,
  location_id text,
  reasons text[] not null
);
create index stranded_bookings_starts on stranded_bookings (starts_at, booking_id);
