-- expand
-- Like write_calendar_times, which servers of the version before call. Writes each busy time only once, and can keep stored times, so
-- that a read of changes need not send all times. A stored time stays if its object is one of `kept_objects`, or if its calendar is
-- one of `kept_collections` and neither its object nor its event is one of `ended`. A stored time of a given event with another span
-- never stays. Returns whether anything has changed, or null if there is no such source.
create function store_calendar_times(
  source text, events bytea[], spans tstzrange[], collections bytea[], objects bytea[],
  kept_collections bytea[], kept_objects bytea[], ended bytea[]
) returns boolean language plpgsql as $$
declare
  resource text;
  gone bytea[];
  fresh bytea[];
  freed tstzmultirange;
  classes text[];
begin
  select resource_id into resource from calendar_sources where id = source for update;
  if not found then return null; end if;
  -- Nobody else writes the busy times of the source, because its row is locked.
  gone := array(
    select s.event from busy_times s left join unnest(events, spans) as f (event, span) on f.event = s.event
    where s.source_id = source and case
      when f.event is not null then f.span <> s.during
      when s.object in (select unnest(kept_objects)) then false
      when s.collection in (select unnest(kept_collections)) then
        s.object in (select unnest(ended)) or s.event in (select unnest(ended))
      else true
    end);
  fresh := array(
    select f.event from unnest(events, spans) as f (event, span)
      left join busy_times s on s.source_id = source and s.event = f.event and s.during = f.span
    where s.event is null);
  if gone = '{}' and fresh = '{}' then return false; end if;
  perform lock_resources(array[resource]);
  classes := busy_classes(array[source]);
  with deleted as (
    delete from busy_times s using unnest(gone) as g (event) where s.source_id = source and s.event = g.event
    returning s.during
  )
  select range_agg(during) into freed from deleted;
  with added as (
    insert into busy_times (source_id, event, resource_id, during, collection, object)
    select source, f.event, resource, f.span, f.collection, f.object
    from unnest(events, spans, collections, objects) as f (event, span, collection, object)
    where f.event in (select unnest(fresh))
    -- The index is written faster in the order of the times.
    order by lower(f.span)
    on conflict do nothing
    returning event, during
  )
  insert into calendar_conflicts (source_id, event, claim_id, during)
  select source, a.event, c.id, c.during from added a join claims c on c.resource_id = resource and c.during && a.during
  where c.holder_kind in ('hold', 'booking', 'offer', 'session')
  on conflict do nothing;
  perform tell_busy_times_freed(resource, freed);
  perform tell_classes_freed(classes);
  return true;
end $$;
