-- The bookings of a cal.com database, as docs/import.md has them:
--   psql --csv -f examples/import/cal-com.sql "$CALCOM_DATABASE_URL" > bookings.csv
-- Of an event with seats everybody who has one is a booking; of any other the first who was invited is who booked.
select
  case when e."seatsPerTimeSlot" is null then b.uid else b.uid || '-' || a.id end as id,
  to_char(b."startTime", 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as start,
  to_char(b."endTime", 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "end",
  coalesce(e.title, b.title) as service,
  u.name as "with",
  case
    when b.status::text = 'awaiting_host' then 'pending'
    when b.status::text = 'accepted' and a."noShow" then 'no_show'
    else b.status::text
  end as status,
  case when b.paid then 'yes' else 'no' end as paid,
  a.name,
  a.email,
  coalesce(a."phoneNumber", b."smsReminderNumber") as phone,
  b.description as notes
from "Booking" b
left join "EventType" e on e.id = b."eventTypeId"
left join users u on u.id = b."userId"
left join lateral (
  select * from "Attendee" where "bookingId" = b.id order by id
  limit case when e."seatsPerTimeSlot" is null then 1 end
) a on true
order by b."startTime", b.id, a.id;
