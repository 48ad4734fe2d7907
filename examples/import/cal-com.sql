-- Exports the bookings of a cal.com database as CSV, in the format of docs/import.md:
--
--   psql --csv -f examples/import/cal-com.sql "$CALCOM_DATABASE_URL" > bookings.csv
--
-- The query returns three kinds of rows, in this order:
--
-- 1. Bookings. For an event with seats, each attendee with a seat is one booking. For other events, the first attendee is the buyer.
-- 2. People who never booked. The import only counts them.
-- 3. Counts of data that the import does not read. The import shows them in its report.
with attendees as (
  select
    a.*,
    b.id is not null
      and (e."seatsPerTimeSlot" is not null or row_number() over (partition by b.id order by a.id) = 1) as is_buyer,
    -- For an event with seats, the answers and the description belong to the seat, not to the booking.
    case when e."seatsPerTimeSlot" is null then b.responses else s.data -> 'responses' end as responses,
    case when e."seatsPerTimeSlot" is null then b."customInputs" end as inputs,
    case when e."seatsPerTimeSlot" is null then b.description else s.data ->> 'description' end as description
  from "Attendee" a
  left join "Booking" b on b.id = a."bookingId"
  left join "EventType" e on e.id = b."eventTypeId"
  left join "BookingSeat" s on s."attendeeId" = a.id
),
answers as (
  select a.id, string_agg(answer.key || ': ' || answer.value, E'\n' order by answer.position) as text
  from attendees a
  cross join lateral (
    select key, value, row_number() over () as position
    from jsonb_each_text(case jsonb_typeof(a.responses) when 'object' then a.responses end)
    where key not in ('name', 'email', 'guests', 'location', 'notes', 'title', 'attendeePhoneNumber', 'smsReminderNumber')
    union all
    select key, value, 1000 + row_number() over ()
    from jsonb_each_text(case jsonb_typeof(a.inputs) when 'object' then a.inputs end)
  ) answer
  where answer.value not in ('', '[]', '{}')
  group by a.id
),
guests as (
  select "bookingId", count(*) as number from attendees where not is_buyer and "bookingId" is not null group by "bookingId"
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
    coalesce(a."phoneNumber", a.responses ->> 'attendeePhoneNumber', b."smsReminderNumber") as phone,
    nullif(concat_ws(E'\n',
      nullif(coalesce(a.description, a.responses ->> 'notes'), ''),
      answers.text,
      'Place: ' || nullif(case when b.location not like 'integrations:%' then b.location end, '')
    ), '') as notes,
    'other guests of the booking, with their addresses: ' || guests.number as left_out
  from "Booking" b
  left join "EventType" e on e.id = b."eventTypeId"
  left join users u on u.id = b."userId"
  left join attendees a on a."bookingId" = b.id and a.is_buyer
  left join answers on answers.id = a.id
  left join guests on guests."bookingId" = b.id
  order by b."startTime", b.id, a.id
)
union all
(
  select distinct on (lower(a.email))
    null, null, null, null, null, null, null, a.name, a.email, a."phoneNumber", null, null
  from attendees a
  where not exists (select from attendees other where other.is_buyer and lower(other.email) = lower(a.email))
  order by lower(a.email), a.id desc
)
union all
select null, null, null, null, null, null, null, null, null, null, null, left_out
from (
  select 'event types (add them as services to the definition): ' || count(*) as left_out
  from "EventType" having count(*) > 0
  union all
  select 'schedules (add them as hours to the definition): ' || count(*)
  from "Schedule" having count(*) > 0
  union all
  select 'days with other hours than the schedule (add them as special hours): ' || count(distinct ("scheduleId", date))
  from "Availability" where date >= (now() at time zone 'utc')::date having count(*) > 0
  union all
  select 'times out of office (block them at the desk): ' || count(*)
  from "OutOfOfficeEntry" where "end" > now() at time zone 'utc' having count(*) > 0
  union all
  select 'links of cal.com video calls: ' || count(*)
  from "Booking" where location like 'integrations:%' and "endTime" > now() at time zone 'utc' having count(*) > 0
) counts;
