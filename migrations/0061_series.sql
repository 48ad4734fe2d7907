-- Bookings that were made together, every so many weeks.
alter table bookings add column series text;
create index bookings_series on bookings (series, starts_at) where series is not null;
