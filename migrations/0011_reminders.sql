-- What was due before this was told, or needed no telling: a booking has one line of reminders, however many there are.
alter table bookings add column reminded_until timestamptz;
update bookings set reminded_until = case when reminded_for = starts_at then now() else created_at end;
alter table bookings alter column reminded_until set not null;
alter table bookings drop column reminded_for;
