create sequence waitlist_queue;

create table waitlist_entries (
  id text primary key,
  -- Lists follow it.
  number bigint generated always as identity unique,
  -- Rises by one with every change of its own; what changes its position does not count here.
  revision integer not null,
  principal text not null,
  profile text not null,
  service_id text not null,
  -- Only this slot; any when null.
  slot_id text,
  preferred json,
  buyer json not null,
  status text not null check (status in ('waiting', 'offered', 'accepted', 'expired', 'declined', 'removed')),
  -- The lowest is next. Who goes to the end gets a new one.
  queue bigint not null default nextval('waitlist_queue'),
  -- Its place when it left the line.
  last_position integer,
  offered_slot_id text,
  offered_from timestamptz,
  offered_to timestamptz,
  offer_expires_at timestamptz,
  booking_id text references bookings,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- As of bookings.
  told_apart boolean not null default false,
  -- An entry ends by the clock: when its slot begins, or the last of the times that would do is over. Null: it waits until it
  -- is taken out.
  ends_at timestamptz,
  -- From then on it is out of the line, whether or not anybody has written it down.
  over_at timestamptz generated always as (
    case status when 'waiting' then ends_at when 'offered' then offer_expires_at end
  ) stored,
  -- Slots it was offered and did not want, until somebody else is offered them.
  declined text[] not null default '{}',
  -- The language that who waits was spoken to in.
  locale text,
  check ((status = 'offered') = (offer_expires_at is not null))
);
create index waitlist_line on waitlist_entries (service_id, queue) where status in ('waiting', 'offered');
create index waitlist_owner on waitlist_entries (principal, number);
create index waitlist_over on waitlist_entries (over_at) where over_at is not null;
create index waitlist_waiting on waitlist_entries (service_id, ends_at) where status = 'waiting';
create index waitlist_of_buyer on waitlist_entries (lower(buyer ->> 'email'), number);
-- Reports look at who joined between two instants.
create index waitlist_joined on waitlist_entries (created_at);

create function somebody_waits(at timestamptz, service text default null) returns boolean
language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  return exists (
    select from waitlist_entries
    where status = 'waiting' and (ends_at > at) is not false and (service is null or service_id = service)
  );
end $$;

-- Time or places that came free while somebody waits. It is looked at in the transaction that freed them, or soon after.
create table freed (
  number bigint generated always as identity primary key,
  -- Null: anything may have come free.
  resource_id text,
  session_id text,
  during tstzrange,
  -- By which transaction: what it frees itself it may take again. Others leave what nobody has looked at to those who wait.
  freed_by xid8 not null default pg_current_xact_id()
);

-- Whoever joins waits for all who are about to give something back, and they for whoever joins: else each could miss what
-- the other does.
create function tell_freed(resource text, session text, span tstzrange) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('joining the waitlist', 0));
  if exists (select from waitlist_entries where status in ('waiting', 'offered')) then
    insert into freed (resource_id, session_id, during) values (resource, session, span);
    perform pg_notify('freed', '');
  end if;
end $$;

create function claim_freed() returns trigger language plpgsql as $$
begin
  perform tell_freed(old.resource_id, null, old.during);
  return null;
end $$;
create trigger claims_freed after delete on claims for each row execute function claim_freed();
create trigger claims_moved after update of resource_id, during on claims for each row execute function claim_freed();

create function seats_freed() returns trigger language plpgsql as $$
begin
  perform tell_freed(null, old.session_id, null);
  return null;
end $$;
create trigger seats_freed after delete on seats for each row execute function seats_freed();
create trigger seats_fewer after update of spots on seats for each row
when (new.spots < old.spots) execute function seats_freed();

create function session_opened() returns trigger language plpgsql as $$
begin
  perform tell_freed(null, new.id, null);
  return null;
end $$;
create trigger sessions_opened after insert or update of capacity, wanted on sessions
for each row execute function session_opened();
