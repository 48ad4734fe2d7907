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
  check ((status = 'offered') = (offer_expires_at is not null))
);
create index waitlist_line on waitlist_entries (service_id, queue) where status in ('waiting', 'offered');
create index waitlist_owner on waitlist_entries (principal, number);
create index waitlist_offers on waitlist_entries (offer_expires_at) where status = 'offered';

-- Time or places that came free while somebody waits. It is looked at in the transaction that freed them, or soon after.
create table freed (
  number bigint generated always as identity primary key,
  -- Null: anything may have come free.
  resource_id text,
  session_id text,
  during tstzrange
);

create function tell_freed(resource text, session text, span tstzrange) returns void language plpgsql as $$
begin
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
