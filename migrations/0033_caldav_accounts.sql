-- expand
-- Accounts at CalDAV servers. `sync_state` contains the addresses of the calendars, and up to which change the server has read them.
alter table calendar_sources add column sync_state jsonb;

-- Digests of the addresses of the calendar and of the object that contains the event. Null for an ICS address.
alter table busy_times add column collection bytea, add column object bytea;

-- Like write_conflicting_times, which servers of the version before call. Also stores the objects that contain the events.
create function write_object_times(
  source text, events bytea[], spans tstzrange[], collections bytea[], objects bytea[]
) returns boolean language plpgsql as $$
declare
  changed boolean := write_conflicting_times(source, events, spans);
begin
  if changed then
    update busy_times t set collection = fresh.collection, object = fresh.object
    from unnest(events, collections, objects) as fresh (event, collection, object)
    where t.source_id = source and t.event = fresh.event and t.object is distinct from fresh.object;
  end if;
  return changed;
end $$;
