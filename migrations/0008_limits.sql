-- Counts within the present minute. What a crash loses here is a minute's counting.
create unlogged table rate_limits (
  key text primary key,
  minute timestamptz not null,
  count integer not null
);
create index rate_limits_minute on rate_limits (minute);

-- Until when whoever gave up holds at these instants, earliest first, has to wait for the next: so many within ten minutes
-- are free, then each doubles the wait, a day at most, until for ten minutes after a wait none is given up.
create function wait_after(released timestamptz[], free integer) returns timestamptz language plpgsql immutable as $$
declare
  rounds integer := 0;
  until timestamptz;
begin
  for i in 1..cardinality(released) loop
    if released[i] <= until + interval '10 minutes' or released[i - free] > released[i] - interval '10 minutes' then
      until := released[i] + least(power(2, least(rounds, 11)), 1440) * interval '1 minute';
      rounds := rounds + 1;
    else
      rounds := 0;
    end if;
  end loop;
  return case when rounds > 0 then until end;
end $$;

-- Whether a principal may hold yet another slot of a service: it has few live holds, and there is no endless taking and
-- giving back on this day, without a booking, by itself and, where it never booked, by whoever else calls from its address
-- and never did. Its other calls wait, so that two cannot both be the last that is allowed.
create function may_hold(
  caller text, origin text, service text, at timestamptz, most integer, free integer, free_nearby integer
) returns boolean language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  yesterday timestamptz := at - interval '1 day';
  live integer;
  frees_at timestamptz;
  booked_at timestamptz;
  until timestamptz;
  last_released timestamptz;
  locked boolean;
begin
  locked := pg_advisory_xact_lock(hashtextextended('holds of ' || caller, 0)) is null;
  select count(*), min(expires_at), greatest(
    (select max(released_at) from holds where principal = caller and released_at > yesterday),
    (select max(released_at) from holds where address = origin and released_at > yesterday)
  ) into live, frees_at, last_released
  from holds where principal = caller and service_id = service and status = 'active' and expires_at > at;
  if live >= most then
    return refuse('may_hold', json_build_object('live', live, 'until', frees_at)::text);
  end if;
  -- Mostly nobody gave anything back.
  if last_released is null then return true; end if;
  booked_at := (select max(created_at) from bookings where principal = caller);
  until := greatest(
    wait_after(array(
      select released_at from holds
      where principal = caller and released_at > greatest(booked_at, yesterday) order by released_at
    ), free),
    -- Whoever makes a new key for each hold is known by its address.
    wait_after(array(
      select h.released_at from holds h
      where booked_at is null and h.address = origin and h.released_at > yesterday
        and not exists (select from bookings where principal = h.principal)
      order by h.released_at
    ), free_nearby)
  );
  return until is null or until <= at or refuse('may_hold', json_build_object('until', until)::text);
end $$;

-- Whether so many more places of this day may be held by a link that nobody has opened. Whatever was held so within the hour
-- counts, also when it has lapsed or was given back: who holds the same again and again would have it for ever. Others wait, so
-- that two cannot both be the last.
create function few_unopened(
  service text, day text, at timestamptz, wanted integer, most integer, is_class boolean
) returns boolean language plpgsql as $$
declare
  held integer;
  since timestamptz;
begin
  perform pg_advisory_xact_lock(hashtextextended('unopened ' || service || ' ' || day, 0));
  select coalesce(sum(case when is_class then spots else 1 end), 0), min(created_at) into held, since
  from holds where service_id = service and unopened_on = day and created_at > at - interval '1 hour';
  return held + wanted <= most or refuse('few_unopened', json_build_object('until', since + interval '1 hour')::text);
end $$;

-- What callers made whose key nobody publishes, and from where they called: a network is one address of IPv4, or all that one
-- subscriber has of IPv6. A row goes as soon as what it tells of does not count any more.
create table strangers (
  kind text not null check (kind in ('hold', 'booking', 'entry')),
  id text not null,
  network text not null,
  -- Whether a booking stood at once: nobody was asked to approve it or to pay.
  stood boolean not null,
  made_at timestamptz not null,
  primary key (kind, id)
);
create index strangers_network on strangers (network, kind);

-- Until when each of them counts; no longer when that is null. A waitlist entry counts for as long as it is in the line, which
-- it leaves by the clock.
create view strangers_live as
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

-- Whether strangers of a network may have one more. Their other calls wait, so that two cannot both be the last.
create function few_of_strangers(what text, origin text, at timestamptz, most integer) returns boolean language plpgsql as $$
declare
  live integer;
  frees_at timestamptz;
begin
  perform pg_advisory_xact_lock(hashtextextended('strangers ' || what || ' ' || origin, 0));
  select count(*), min(live_until) into live, frees_at
  from strangers_live where network = origin and kind = what and live_until > at;
  return live < most or refuse('few_of_strangers', json_build_object('until', frees_at)::text);
end $$;

-- Of what strangers do, and visitors of the pages, that somebody is mailed of: from which network, and to whom, as a digest; null
-- where that is limited elsewhere. A row counts for an hour and then goes.
create table mail_causes (
  network text not null,
  addressee text,
  made_at timestamptz not null
);
create index mail_causes_network on mail_causes (network, made_at);
create index mail_causes_addressee on mail_causes (addressee, made_at);

-- Nobody waits in these: who comes at the same moment is not seen, for a lock would be one over all doors, and what is taken
-- before or after it differs by door. So a few more than the most may come through; a flood does not.
create function few_mails_from(origin text, at timestamptz, most integer) returns boolean language plpgsql as $$
declare
  until timestamptz;
begin
  select made_at + interval '1 hour' into until from mail_causes
  where network = origin and made_at > at - interval '1 hour' order by made_at desc offset most - 1 limit 1;
  return not found or refuse('few_mails_from', json_build_object('until', until)::text);
end $$;

create function few_mails_to(whom text, at timestamptz, most integer) returns boolean language plpgsql as $$
declare
  until timestamptz;
begin
  select made_at + interval '1 hour' into until from mail_causes
  where addressee = whom and made_at > at - interval '1 hour' order by made_at desc offset most - 1 limit 1;
  return not found or refuse('few_mails_to', json_build_object('until', until)::text);
end $$;
