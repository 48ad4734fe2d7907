-- What a change writes down, and what must be true for it, goes to the database in the last statement of its transaction,
-- which often is its only one. What is not true that must be fails with this code, the name of the function that found out
-- and what there is to be said: then nothing of the transaction stays.
create function refuse(demand text, said text default '') returns boolean language plpgsql as $$
begin
  raise exception using errcode = 'USP01', message = demand, detail = said;
end $$;

-- Mostly it is one. What is assigned costs a fraction of what is performed, which is a statement.
create or replace function lock_resources(resources text[]) returns void language plpgsql as $$
declare
  resource text;
  locked boolean;
begin
  if cardinality(resources) > 1 then
    resources := array(select distinct one from unnest(resources) one order by one);
  end if;
  foreach resource in array resources loop
    locked := pg_advisory_xact_lock(hashtextextended(resource, 0)) is null;
  end loop;
end $$;

-- Takes the time of all these resources; when it answers no, some may be taken, and the caller rolls back. The locks make
-- rivals wait in one order, so that they never wait for each other in a circle; what keeps them apart is the constraint.
create or replace function claim_time(
  resources text[], span tstzrange, kind text, holder text, expiry timestamptz, at timestamptz
) returns boolean language plpgsql as $$
declare
  resource text;
  locked boolean;
begin
  locked := lock_resources(resources) is null;
  foreach resource in array resources loop
    loop
      insert into claims (resource_id, during, holder_kind, holder_id, expires_at)
      values (resource, span, kind, holder, expiry)
      on conflict on constraint claims_never_overlap do nothing;
      exit when found;
      -- It may be a claim that has lapsed.
      delete from claims where resource_id = resource and during && span and expires_at <= at;
      if not found then return false; end if;
    end loop;
  end loop;
  return true;
end $$;
drop function take_time;

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
drop function hold_use;

-- Keeps an answer under its key, unless one is kept there already; one that is too old counts for nothing. A twin that is
-- still being worked on is waited for.
create function keep_reply(
  caller text, named text, asked bytea, answer bytea, about text, at timestamptz, oldest timestamptz
) returns boolean language plpgsql as $$
begin
  insert into replies (principal, key, fingerprint, reply, subject, created_at)
  values (caller, named, asked, answer, about, at)
  on conflict (principal, key) do nothing;
  if not found then
    update replies set fingerprint = asked, reply = answer, subject = about, created_at = at
    where principal = caller and key = named and created_at < oldest;
  end if;
  return found;
end $$;
drop function claim_key;
