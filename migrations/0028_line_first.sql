-- An entry ends by the clock: when its slot begins, or the last of the times that would do is over. Null: it waits until it
-- is taken out.
alter table waitlist_entries add column ends_at timestamptz;
-- From then on it is out of the line, whether or not anybody has written it down.
alter table waitlist_entries add column over_at timestamptz generated always as (
  case status when 'waiting' then ends_at when 'offered' then offer_expires_at end
) stored;
-- Slots it was offered and did not want, until somebody else is offered them.
alter table waitlist_entries add column declined text[] not null default '{}';
drop index waitlist_offers;
create index waitlist_over on waitlist_entries (over_at) where over_at is not null;
create index waitlist_waiting on waitlist_entries (service_id, ends_at) where status = 'waiting';

-- A slot's id says when it begins: in seconds, to the base of 36.
update waitlist_entries e set ends_at = (
  select to_timestamp(sum((strpos('0123456789abcdefghijklmnopqrstuvwxyz', digit) - 1) * power(36::numeric, length(begins) - place))::float8)
  from (
    select split_part(convert_from(decode(rpad(coded, (length(coded) + 3) / 4 * 4, '='), 'base64'), 'UTF8'), '~', 2) as begins
    from (select translate(substr(e.slot_id, 6, length(e.slot_id) - 17), '-_', '+/') as coded) id
  ) slot, string_to_table(begins, null) with ordinality as digits (digit, place)
)
where slot_id is not null and status in ('waiting', 'offered');
update waitlist_entries e set ends_at = (
  select (max((one ->> 'end_date')::date) + 1)::timestamp at time zone (b.definition -> 'business' ->> 'timezone')
  from json_array_elements(e.preferred) one
  having bool_and(one ->> 'end_date' is not null)
)
from business b
where e.slot_id is null and json_array_length(e.preferred) > 0 and e.status in ('waiting', 'offered');

create function somebody_waits(at timestamptz, service text default null) returns boolean
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  return exists (
    select from waitlist_entries
    where status = 'waiting' and (ends_at > at) is not false and (service is null or service_id = service)
  );
end $$;

-- By which transaction: what it frees itself it may take again. Others leave what nobody has looked at to those who wait.
alter table freed add column freed_by xid8 not null default pg_current_xact_id();

-- Whoever joins waits for all who are about to give something back, and they for whoever joins: else each could miss what
-- the other does.
create or replace function tell_freed(resource text, session text, span tstzrange) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('joining the waitlist', 0));
  if exists (select from waitlist_entries where status in ('waiting', 'offered')) then
    insert into freed (resource_id, session_id, during) values (resource, session, span);
    perform pg_notify('freed', '');
  end if;
end $$;

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

-- As before, and what comes free or lapses belongs to those who wait before anybody can hold or book it. It is looked at
-- when the time is taken: whoever gave it back has committed by then, whichever way they did it.
create or replace function claim_time(
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

-- The same for places in a class.
create or replace function take_seats(
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

-- While somebody waits, what has lapsed or was given back is not free until they were asked. What was given back comes last,
-- and may overlap what is taken.
create or replace function taken_within(resources text[], since timestamptz, until timestamptz, at timestamptz)
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
        and (expires_at is null or expires_at > at or (select somebody_waits(at)))
    ) each;
  return query
    select resource_id, concat_ws(' ', date_part('epoch', lower(during)), date_part('epoch', upper(during)), 'freed')
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
