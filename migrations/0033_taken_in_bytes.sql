-- What of some resources is taken, for each of them the instants in the form in which PostgreSQL sends them: 8 bytes for the
-- beginning, 8 for the end, microseconds since 2000, and one that says whether it is held. To write them out in words took
-- as long as all the rest. `taken_within`, which did so, stays for servers that still run while this is migrated.
--
-- While somebody waits, what has lapsed or was given back is not free until they were asked. What was given back may overlap
-- what is taken.
create function taken_time(during tstzrange, held boolean) returns bytea language sql immutable as $$
  select timestamptz_send(lower(during)) || timestamptz_send(upper(during)) || case when held then bytea '\x01' else '\x00' end
$$;

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
