-- The bookings of a cal.com database, and whoever only came along, as docs/import.md has them:
--   psql --csv -f examples/import/cal-com.sql "$CALCOM_DATABASE_URL" > bookings.csv
-- Of an event with seats everybody who has one is a booking; of any other the first who was invited is who booked.
with attendees as (
  select
    a.*,
    b.id is not null
      and (e."seatsPerTimeSlot" is not null or row_number() over (partition by b.id order by a.id) = 1) as booked
  from "Attendee" a
  left join "Booking" b on b.id = a."bookingId"
  left join "EventType" e on e.id = b."eventTypeId"
)
(
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
  left join attendees a on a."bookingId" = b.id and a.booked
  order by b."startTime", b.id, a.id
)
union all
(
  select distinct on (lower(a.email))
    null, null, null, null, null, null, null, a.name, a.email, a."phoneNumber", null
  from attendees a
  where not exists (select from attendees other where other.booked and lower(other.email) = lower(a.email))
  order by lower(a.email), a.id desc
);
