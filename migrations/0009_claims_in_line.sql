-- Claims of one resource never overlap, so they stand in a line. What is taken within some time is read along it: the
-- constraint's own index, which must find what overlaps anything, has to look into more pages the more there are.
create index claims_in_line on claims (resource_id, lower(during)) include (during, holder_kind, expires_at);

-- Nothing is read from it any more but what overlaps.
alter table claims drop constraint claims_never_overlap;
alter table claims add constraint claims_never_overlap exclude using gist (resource_id with =, during with &&);

-- What of these resources is taken within the time, in the order of time; of what began earlier only the last can reach
-- into it. A line of text each, since rows would cost more than finding them. There is but one way to go about it, and
-- working it out anew for each call would cost more than going it.
create function taken_within(resources text[], since timestamptz, until timestamptz, at timestamptz)
returns table (resource text, taken text) language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  return query
    select wanted, line
    from unnest(resources) as wanted
    cross join lateral (
      select string_agg(
        concat_ws(' ', date_part('epoch', lower(during)), date_part('epoch', upper(during)), holder_kind), ',' order by lower(during)
      ) as line
      from claims
      where resource_id = wanted and lower(during) < until and upper(during) > since
        and lower(during) >= coalesce((
          select max(lower(earlier.during)) from claims earlier
          where earlier.resource_id = wanted and lower(earlier.during) < since
        ), since)
        and (expires_at is null or expires_at > at)
    ) each;
end $$;

-- So with what a principal may still hold: half of its time went into planning.
alter function hold_use(text, text, text, timestamptz) set plan_cache_mode = force_generic_plan;
