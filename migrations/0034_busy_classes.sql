-- expand
-- Classes whose teacher or room is busy in another calendar. Their conflicts are stored like those of bookings. While a class has an
-- open conflict, it counts as full. If the staff keep it, `kept_booking` contains the id of the class session.
create function is_class_busy(session text) returns boolean language sql stable as $$
  select exists (
    select from claims c join calendar_conflicts k on k.claim_id = c.id
    where c.holder_kind = 'session' and c.holder_id = session and k.kept_booking is null)
$$;

-- Stores which busy times the claims of new class sessions overlap. The caller has locked the resources.
create function store_class_conflicts(sessions text[]) returns void language sql as $$
  insert into calendar_conflicts (source_id, event, claim_id, during)
  select t.source_id, t.event, c.id, c.during
  from claims c join busy_times t on t.resource_id = c.resource_id and t.during && c.during
  where c.holder_kind = 'session' and c.holder_id = any (sessions)
  on conflict do nothing
$$;

select store_class_conflicts(array(select id from sessions where ends_at > now() and canceled_at is null));

create function busy_classes(sources text[]) returns text[] language sql stable as $$
  select array(
    select distinct c.holder_id from calendar_conflicts k join claims c on c.id = k.claim_id
    where k.source_id = any (sources) and c.holder_kind = 'session' and k.kept_booking is null)
$$;

-- Offers the seats of classes that are no longer busy to those who wait.
create function tell_classes_freed(classes text[]) returns void language sql as $$
  select tell_freed(null, class, null) from unnest(classes) as class where not is_class_busy(class)
$$;

-- Like write_object_times, which servers of the version before call. Also stores which classes the busy times of the source overlap.
create function write_calendar_times(
  source text, events bytea[], spans tstzrange[], collections bytea[], objects bytea[]
) returns boolean language plpgsql as $$
declare
  former text[] := busy_classes(array[source]);
  changed boolean := write_object_times(source, events, spans, collections, objects);
begin
  if changed then
    insert into calendar_conflicts (source_id, event, claim_id, during)
    select t.source_id, t.event, c.id, c.during
    from busy_times t join claims c on c.resource_id = t.resource_id and c.during && t.during
    where t.source_id = source and c.holder_kind = 'session'
    on conflict do nothing;
    perform tell_classes_freed(former);
  end if;
  return changed;
end $$;

-- Like delete_calendar_sources, which servers of the version before call.
create function delete_calendars(sources text[]) returns integer language plpgsql as $$
declare
  former text[] := busy_classes(sources);
  deleted integer := delete_calendar_sources(sources);
begin
  perform tell_classes_freed(former);
  return deleted;
end $$;

-- Like join_session, which servers of the version before call. Nobody joins a class whose teacher or room is busy in another calendar.
-- A booking that has a place in the class already can change its number of places.
create function join_free_session(
  session text, kind text, holder text, wanted_spots integer, expiry timestamptz, at timestamptz
) returns integer language plpgsql as $$
begin
  if is_class_busy(session) and not exists (select from bookings where id = holder and session_id = session) then
    return null;
  end if;
  return join_session(session, kind, holder, wanted_spots, expiry, at);
end $$;
