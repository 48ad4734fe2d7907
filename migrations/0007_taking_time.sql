-- What comes free or lapses belongs to those who wait before anybody can hold or book it.

-- Refuses where some of this time came free or lapsed, nobody has looked yet who wants it, and somebody waits: the server
-- then looks after the line, and asks again.
create function heed_line(resources text[], span tstzrange, at timestamptz) returns void language plpgsql as $$
begin
  if (exists (
    select from freed where freed_by <> pg_current_xact_id()
      and (resource_id = any (resources) and during && span or num_nonnulls(resource_id, session_id) = 0)
  ) or exists (
    select from claims where resource_id = any (resources) and during && span and expires_at <= at
  )) and somebody_waits(at) then
    perform refuse('line_first');
  end if;
end $$;

-- The locks of those who are to be chosen from, for whoever may have them.
create function ask_time(resources text[], span tstzrange, at timestamptz) returns void language plpgsql as $$
begin
  perform lock_resources(resources);
  perform heed_line(resources, span, at);
end $$;

-- Takes the time of all these resources; when it answers no, some may be taken, and the caller rolls back. The locks make
-- rivals wait in one order, so that they never wait for each other in a circle; what keeps them apart is the constraint.
-- Whether it belongs to those who wait is looked at when it is taken: whoever gave it back has committed by then, whichever
-- way they did it.
create function claim_time(
  resources text[], span tstzrange, kind text, holder text, expiry timestamptz, at timestamptz
) returns boolean language plpgsql as $$
declare
  yields boolean := kind in ('hold', 'booking');
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
      if yields then perform heed_line(resources, span, at); end if;
      -- It may be a claim that has lapsed.
      delete from claims where resource_id = resource and during && span and expires_at <= at;
      if not found then return false; end if;
    end loop;
  end loop;
  if yields and exists (select from freed) then perform heed_line(resources, span, at); end if;
  return true;
end $$;

-- The same for places in a class. The row is locked before it is counted, by whoever writes.
create function take_seats(
  session text, kind text, holder text, wanted integer, expiry timestamptz, at timestamptz
) returns integer language plpgsql as $$
declare
  class sessions;
  taken integer;
  lapsed boolean;
begin
  select * into class from sessions where id = session and canceled_at is null for update;
  if class.id is null then return null; end if;
  delete from seats where session_id = session and expires_at <= at;
  lapsed := found;
  select coalesce(sum(spots), 0) into taken from seats where session_id = session;
  if kind <> 'offer' and (lapsed or exists (
    select from freed where freed_by <> pg_current_xact_id()
      and (session_id = session or num_nonnulls(resource_id, session_id) = 0)
  )) and somebody_waits(at, class.service_id) then
    perform refuse('line_first');
  end if;
  if taken + wanted <= class.capacity then
    insert into seats (session_id, holder_kind, holder_id, spots, expires_at)
    values (session, kind, holder, wanted, expiry);
  end if;
  return class.capacity - taken;
end $$;

-- Takes away what has lapsed, for those who wait. All locks come first, in the order of everybody: those of what may be
-- offered as well.
create function end_lapsed(resources text[], at timestamptz) returns void language plpgsql as $$
begin
  perform lock_resources(resources || array(select resource_id from claims where expires_at <= at));
  delete from claims where expires_at <= at;
  perform from sessions where id in (select session_id from seats where expires_at <= at) order by id for update;
  delete from seats where expires_at <= at;
end $$;

-- The instants in the form in which PostgreSQL sends them: 8 bytes for the beginning, 8 for the end, microseconds since 2000,
-- and one that says whether it is held. To write them out in words took as long as all the rest.
create function taken_time(during tstzrange, held boolean) returns bytea language sql immutable as $$
  select timestamptz_send(lower(during)) || timestamptz_send(upper(during)) || case when held then bytea '\x01' else '\x00' end
$$;

-- What of these resources is taken within the time, all of one in one row, in the order of time; of what began earlier only the
-- last can reach into it. There is but one way to go about it, and working it out anew for each call would cost more than
-- going it.
--
-- While somebody waits, what has lapsed or was given back is not free until they were asked. What was given back comes in rows
-- of its own, and may overlap what is taken.
create function time_taken(resources text[], since timestamptz, until timestamptz, at timestamptz)
returns table (resource text, taken bytea) language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  return query
    select wanted, line
    from unnest(resources) as wanted
    cross join lateral (
      select string_agg(taken_time(during, holder_kind = 'hold'), '' order by lower(during)) as line
      from claims
      where resource_id = wanted and lower(during) < until and upper(during) > since
        and lower(during) >= coalesce((
          select max(lower(earlier.during)) from claims earlier
          where earlier.resource_id = wanted and lower(earlier.during) < since
        ), since)
        and (expires_at is null or expires_at > at or (select somebody_waits(at)))
    ) each
    union all
    select resource_id, taken_time(during, false)
    from freed
    where resource_id = any (resources) and during && tstzrange(since, until)
      and freed_by is distinct from pg_current_xact_id_if_assigned() and (select somebody_waits(at));
end $$;

-- The same of a class: full, while somebody waits for it and was not asked.
create function owed_to_line(session text, service text, at timestamptz) returns boolean language plpgsql stable as $$
begin
  return exists (
    select from freed where session_id = session and freed_by is distinct from pg_current_xact_id_if_assigned()
  ) and somebody_waits(at, service);
end $$;
