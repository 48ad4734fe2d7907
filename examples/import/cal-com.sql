-- The bookings of a cal.com database, whoever only came along, and how much of what stays behind there is, as docs/import.md has them:
--   psql --csv -f examples/import/cal-com.sql "$CALCOM_DATABASE_URL" > bookings.csv
-- Of an event with seats everybody who has one is a booking; of any other the first who was invited is who booked.
with attendees as (
  select
    a.*,
    b.id is not null
      and (e."seatsPerTimeSlot" is not null or row_number() over (partition by b.id order by a.id) = 1) as booked,
    -- What was said belongs to whoever has the seat.
    case when e."seatsPerTimeSlot" is null then b.responses else s.data -> 'responses' end as responses,
    case when e."seatsPerTimeSlot" is null then b."customInputs" end as inputs,
    case when e."seatsPerTimeSlot" is null then b.description else s.data ->> 'description' end as description
  from "Attendee" a
  left join "Booking" b on b.id = a."bookingId"
  left join "EventType" e on e.id = b."eventTypeId"
  left join "BookingSeat" s on s."attendeeId" = a.id
),
answers as (
  select a.id, string_agg(answer.key || ': ' || answer.value, E'\n' order by answer.nth) as said
  from attendees a
  cross join lateral (
    select key, value, row_number() over () as nth
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
  select "bookingId", count(*) as many from attendees where not booked and "bookingId" is not null group by "bookingId"
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
      answers.said,
      'Place: ' || nullif(case when b.location not like 'integrations:%' then b.location end, '')
    ), '') as notes,
    'guests beside whoever booked, with their addresses: ' || guests.many as left_out
  from "Booking" b
  left join "EventType" e on e.id = b."eventTypeId"
  left join users u on u.id = b."userId"
  left join attendees a on a."bookingId" = b.id and a.booked
  left join answers on answers.id = a.id
  left join guests on guests."bookingId" = b.id
  order by b."startTime", b.id, a.id
)
union all
(
  select distinct on (lower(a.email))
    null, null, null, null, null, null, null, a.name, a.email, a."phoneNumber", null, null
  from attendees a
  where not exists (select from attendees other where other.booked and lower(other.email) = lower(a.email))
  order by lower(a.email), a.id desc
)
union all
select null, null, null, null, null, null, null, null, null, null, null, left_out
from (
  select 'event types, which are services of the definition: ' || count(*) as left_out
  from "EventType" having count(*) > 0
  union all
  select 'schedules, which are hours of the definition: ' || count(*)
  from "Schedule" having count(*) > 0
  union all
  select 'days on which schedules are otherwise, which are to be entered here: ' || count(distinct ("scheduleId", date))
  from "Availability" where date >= (now() at time zone 'utc')::date having count(*) > 0
  union all
  select 'time out of office, which is to be blocked here: ' || count(*)
  from "OutOfOfficeEntry" where "end" > now() at time zone 'utc' having count(*) > 0
  union all
  select 'video calls of cal.com, whose links stay there: ' || count(*)
  from "Booking" where location like 'integrations:%' and "endTime" > now() at time zone 'utc' having count(*) > 0
) behind;
