-- expand
-- Calendars of a person, a room or an item at other providers. The server reads their events. The events block time here.
create table calendar_sources (
  id text primary key,
  resource_id text not null,
  -- How the server reads the calendar, such as `ics`: a file at an address.
  kind text not null,
  name text not null,
  -- The host of the address, which the desk shows. The address itself is a secret, so it is encrypted.
  host text not null,
  address bytea not null,
  created_by text not null,
  created_at timestamptz not null,
  -- The validators of the last successful answer, for conditional requests.
  etag text,
  last_modified text,
  -- The digest of the last whole calendar. Many providers send no validators, and always the whole calendar.
  content_digest bytea,
  -- The last successful answer, and the last answer that contained the whole calendar.
  read_at timestamptz,
  whole_read_at timestamptz,
  -- The server has computed the times of repeating events until then.
  expanded_until timestamptz,
  -- The number of events of the last whole calendar that the server could not read.
  unread_events integer not null default 0,
  -- The pause between two reads that the provider asks for.
  pause_seconds integer,
  -- The reason why reading fails, since when, and how often in a row.
  problem text,
  failing_since timestamptz,
  failures integer not null default 0,
  next_at timestamptz not null,
  leased_until timestamptz,
  -- How many times a process has started to read since the last finished read.
  begun integer not null default 0
);
create index calendar_sources_of_resource on calendar_sources (resource_id);
create index calendar_sources_due on calendar_sources (next_at);

-- The times when a resource is busy in another calendar. They may overlap each other, bookings and blocks. Therefore they are no
-- claims.
create table busy_times (
  source_id text not null references calendar_sources,
  -- SHA-256 of the identity of the event: its UID, and which of its repetitions it is.
  event bytea not null,
  resource_id text not null,
  during tstzrange not null check (not isempty(during)),
  primary key (source_id, event)
);
create index busy_times_of_resource on busy_times using gist (resource_id, during);

-- Replaces the busy times of a source by these. Writes only the differences. Returns whether there were any, or null if there is
-- no such source. What the source no longer occupies is offered to those who wait, like the time of a deleted claim.
create function write_busy_times(source text, events bytea[], spans tstzrange[]) returns boolean language plpgsql as $$
declare
  resource text;
  freed tstzmultirange;
begin
  select resource_id into resource from calendar_sources where id = source for update;
  if not found then return null; end if;
  -- Nobody else writes the busy times of the source, because its row is locked.
  if not exists (
    select from (select event, during from busy_times where source_id = source) stored
      full join unnest(events, spans) as fresh (event, span) on fresh.event = stored.event
    where stored.during is distinct from fresh.span
  ) then return false; end if;
  perform lock_resources(array[resource]);
  with gone as (
    delete from busy_times where source_id = source and (event, during) not in (select * from unnest(events, spans))
    returning during
  )
  select range_agg(during) into freed from gone;
  insert into busy_times (source_id, event, resource_id, during)
  select source, event, resource, span from unnest(events, spans) as fresh (event, span)
  on conflict do nothing;
  perform tell_busy_times_freed(resource, freed);
  return true;
end $$;

create function tell_busy_times_freed(resource text, freed tstzmultirange) returns void language plpgsql as $$
declare
  others tstzmultirange;
begin
  if freed is null then return; end if;
  select range_agg(during) into others from busy_times where resource_id = resource and during && range_merge(freed);
  perform tell_freed(resource, null, span) from unnest(freed - coalesce(others, '{}')) as span;
end $$;

-- Deletes sources with their busy times. Returns the number of deleted sources.
create function delete_calendar_sources(sources text[]) returns integer language plpgsql as $$
declare
  resource text;
  freed tstzmultirange;
  deleted integer;
begin
  perform from calendar_sources where id = any (sources) order by id for update;
  perform lock_resources(array(select resource_id from calendar_sources where id = any (sources)));
  for resource, freed in
    with gone as (delete from busy_times where source_id = any (sources) returning resource_id, during)
    select resource_id, range_agg(during) from gone group by resource_id
  loop
    perform tell_busy_times_freed(resource, freed);
  end loop;
  delete from calendar_sources where id = any (sources);
  get diagnostics deleted = row_count;
  return deleted;
end $$;

-- Like claim_time, which servers of the version before call. A hold, a booking or an offer of the waitlist also gets no time in
-- which one of the resources is busy in another calendar. A booking that already overlaps a busy time may change its claim.
create function claim_free_time(
  resources text[], span tstzrange, kind text, holder text, expiry timestamptz, at timestamptz
) returns boolean language plpgsql as $$
declare
  resource text;
begin
  if not claim_time(resources, span, kind, holder, expiry, at) then return false; end if;
  if kind not in ('hold', 'booking', 'offer') then return true; end if;
  foreach resource in array resources loop
    if exists (
      select from busy_times busy where busy.resource_id = resource and busy.during && span and not (
        kind = 'booking' and exists (
          select from bookings b where b.id = holder and b.created_at < at and resource = any (b.resource_ids)
            and tstzrange(b.starts_at, b.ends_at) && busy.during))
    ) then return false; end if;
  end loop;
  return true;
end $$;

-- Like time_taken, with the busy times of other calendars. The busy times of a resource are merged, and come in a row of their own.
create function time_occupied(resources text[], since timestamptz, until timestamptz, at timestamptz)
returns table (resource text, taken bytea) language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  return query
    select t.resource, t.taken from time_taken(resources, since, until, at) t
    union all
    select wanted, line
    from unnest(resources) as wanted
    cross join lateral (
      select string_agg(taken_time(span, false), '' order by lower(span)) as line
      from unnest((
        select range_agg(during) from busy_times where resource_id = wanted and during && tstzrange(since, until)
      )) as span
    ) each
    where line is not null and (select exists (select from busy_times));
end $$;
