-- A stranger's waitlist entry counts for as long as it is in the line, which it leaves by the clock.
create or replace view strangers_live as
select kind, id, network, case kind
  when 'hold' then (select expires_at from holds where holds.id = strangers.id and status = 'active')
  when 'booking' then (
    select case
      when expires_at is not null then expires_at
      when stood and status = 'confirmed' then made_at + interval '1 hour'
    end from bookings where bookings.id = strangers.id
  )
  when 'entry' then (
    select coalesce(over_at, 'infinity') from waitlist_entries e where e.id = strangers.id and status in ('waiting', 'offered')
  )
end as live_until
from strangers;
