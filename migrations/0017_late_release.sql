-- expand
-- Until when an unpaid booking keeps its time after expires_at, while the payment provider may still be asked whether it was
-- paid before expires_at. Null where it keeps its time until expires_at alone; read by nobody where expires_at is null.
alter table bookings add column release_at timestamptz;
