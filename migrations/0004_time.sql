create extension if not exists btree_gist;

-- Everything that takes up time of a person, a room, a table or a piece of equipment, buffers included. While a row
-- exists its time is taken: no two rows of one resource can overlap, whatever the code above believes.
create table claims (
  id bigint generated always as identity primary key,
  resource_id text not null,
  during tstzrange not null check (not isempty(during)),
  holder_kind text not null check (holder_kind in ('hold', 'booking', 'offer', 'block', 'session')),
  holder_id text not null,
  -- From then on it counts for nothing; whoever needs the time removes it.
  expires_at timestamptz,
  -- What is asked for along with the time is in its index, so that the rows need not be looked up.
  constraint claims_never_overlap exclude using gist (resource_id with =, during with &&)
    include (holder_kind, expires_at)
);
create index claims_holder on claims (holder_kind, holder_id);
create index claims_lapsing on claims (expires_at) where expires_at is not null;

-- What was ever claimed and given up, in the order in which it happened: `usp verify` replays it. A claim is entered
-- after its row has passed the constraint, so its number is always higher than that of what had to go before it.
create table claim_journal (
  number bigint generated always as identity primary key,
  claim_id bigint not null,
  event text not null check (event in ('taken', 'ended')),
  resource_id text not null,
  during tstzrange not null,
  holder_kind text not null,
  holder_id text not null
);

create function enter_claim() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into claim_journal (claim_id, event, resource_id, during, holder_kind, holder_id)
    values (old.id, 'ended', old.resource_id, old.during, old.holder_kind, old.holder_id);
  end if;
  if tg_op <> 'DELETE' then
    insert into claim_journal (claim_id, event, resource_id, during, holder_kind, holder_id)
    values (new.id, 'taken', new.resource_id, new.during, new.holder_kind, new.holder_id);
  end if;
  return null;
end $$;
create trigger claims_journal after insert or delete on claims for each row execute function enter_claim();
create trigger claims_journal_change after update of resource_id, during on claims
for each row execute function enter_claim();

-- Takes the time of all these resources, or of none: the caller rolls back when the answer is false. The locks make
-- rivals wait in one order, so that they never wait for each other in a circle; what keeps them apart is the constraint.
create function claim_time(
  resources text[], span tstzrange, kind text, holder text, expiry timestamptz, at timestamptz
) returns boolean language plpgsql as $$
declare
  resource text;
begin
  perform lock_resources(resources);
  for resource in select unnest(resources) order by 1 loop
    if take_time(resource, span, kind, holder, expiry) then continue; end if;
    -- It may be a claim that has lapsed.
    delete from claims where resource_id = resource and during && span and expires_at <= at;
    if not (found and take_time(resource, span, kind, holder, expiry)) then return false; end if;
  end loop;
  return true;
end $$;

create function take_time(
  resource text, span tstzrange, kind text, holder text, expiry timestamptz
) returns boolean language plpgsql as $$
begin
  insert into claims (resource_id, during, holder_kind, holder_id, expires_at)
  values (resource, span, kind, holder, expiry)
  on conflict on constraint claims_never_overlap do nothing;
  return found;
end $$;

create function lock_resources(resources text[]) returns void language plpgsql as $$
declare
  resource text;
begin
  for resource in select distinct unnest(resources) order by 1 loop
    perform pg_advisory_xact_lock(hashtextextended(resource, 0));
  end loop;
end $$;

-- Gives up what a holder has, under the same locks: whoever waits for the time must not be in the way of what the
-- transaction does next.
create function end_claims(kind text, holder text) returns void language plpgsql as $$
begin
  perform lock_resources(array(select resource_id from claims where holder_kind = kind and holder_id = holder));
  delete from claims where holder_kind = kind and holder_id = holder;
end $$;

-- A class at one time: many take part until it is full. Its teacher and room are claimed like anybody's.
create table sessions (
  id text primary key,
  service_id text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  location_id text,
  resource_ids text[] not null,
  capacity integer not null check (capacity >= 0),
  -- Set when the staff chose another size than the definition's.
  resized boolean not null default false,
  -- Whether the definition still wants it: one that people already take part in stays, but nobody may join.
  wanted boolean not null default true,
  canceled_at timestamptz,
  unique (service_id, starts_at)
);
create index sessions_starts on sessions (starts_at);
create index sessions_resources on sessions using gin (resource_ids);

-- Places in a session. They are counted under a lock on the session.
create table seats (
  session_id text not null references sessions,
  holder_kind text not null check (holder_kind in ('hold', 'booking', 'offer')),
  holder_id text not null,
  spots integer not null check (spots > 0),
  expires_at timestamptz,
  primary key (holder_kind, holder_id, session_id)
);
create index seats_session on seats (session_id);
create index seats_lapsing on seats (expires_at) where expires_at is not null;

-- No session ever has more places taken than it has: the row is locked before it is counted, by whoever writes.
create function take_seats(
  session text, kind text, holder text, wanted integer, expiry timestamptz, at timestamptz
) returns integer language plpgsql as $$
declare
  total integer;
  taken integer;
begin
  select capacity into total from sessions where id = session and canceled_at is null for update;
  if total is null then return null; end if;
  delete from seats where session_id = session and expires_at <= at;
  select coalesce(sum(spots), 0) into taken from seats where session_id = session;
  if taken + wanted <= total then
    insert into seats (session_id, holder_kind, holder_id, spots, expires_at)
    values (session, kind, holder, wanted, expiry);
  end if;
  return total - taken;
end $$;

-- The same for whatever writes seats or capacity by another way.
create function refuse_overfull() returns trigger language plpgsql as $$
declare
  session text := case tg_table_name when 'seats' then to_jsonb(new) ->> 'session_id' else to_jsonb(new) ->> 'id' end;
begin
  perform from sessions where id = session for update;
  if (select sum(spots) from seats where session_id = session) > (select capacity from sessions where id = session) then
    raise exception 'session % would be over capacity', session using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger seats_within_capacity after insert or update of spots, session_id on seats
for each row execute function refuse_overfull();
create trigger capacity_not_below_seats after update of capacity on sessions
for each row execute function refuse_overfull();

-- As claim_journal, for sessions: places taken and given up, and what the capacity was.
create table seat_journal (
  number bigint generated always as identity primary key,
  session_id text not null,
  event text not null check (event in ('taken', 'ended', 'capacity')),
  spots integer not null,
  holder_kind text,
  holder_id text
);

create function enter_seats() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into seat_journal (session_id, event, spots, holder_kind, holder_id)
    values (old.session_id, 'ended', old.spots, old.holder_kind, old.holder_id);
  end if;
  if tg_op <> 'DELETE' then
    insert into seat_journal (session_id, event, spots, holder_kind, holder_id)
    values (new.session_id, 'taken', new.spots, new.holder_kind, new.holder_id);
  end if;
  return null;
end $$;
create trigger seats_journal after insert or delete on seats for each row execute function enter_seats();
create trigger seats_journal_change after update of spots, session_id on seats
for each row execute function enter_seats();

create function enter_capacity() returns trigger language plpgsql as $$
begin
  insert into seat_journal (session_id, event, spots) values (new.id, 'capacity', new.capacity);
  return null;
end $$;
create trigger sessions_journal after insert or update of capacity on sessions
for each row execute function enter_capacity();

create table holds (
  id text primary key,
  service_id text not null,
  slot_id text not null,
  spots integer not null,
  principal text not null,
  profile text not null,
  address text not null,
  -- An active one whose time has passed is expired, whether or not a row says so.
  status text not null check (status in ('active', 'released', 'converted')),
  booking_id text,
  created_at timestamptz not null,
  released_at timestamptz,
  expires_at timestamptz not null
);
create index holds_live on holds (principal, service_id, expires_at) where status = 'active';
create index holds_given_up on holds (principal, released_at) where released_at is not null;
create index holds_given_up_nearby on holds (address, released_at) where released_at is not null;

create table bookings (
  id text primary key,
  -- Rises by one with every change.
  revision integer not null,
  -- Empty for those that the staff entered.
  principal text not null,
  profile text not null,
  service_id text not null,
  status text not null check
    (status in ('pending', 'requires_action', 'confirmed', 'in_progress', 'completed', 'no_show', 'canceled')),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  resource_ids text[] not null,
  session_id text references sessions,
  -- When it is given up unless it is confirmed before.
  expires_at timestamptz,
  hold_id text unique,
  -- What was agreed and what became of it.
  record json not null,
  -- What is known of people, apart from the rest so that it can be erased.
  people json not null,
  search_text text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index bookings_starts on bookings (starts_at, id);
create index bookings_of_principal on bookings (principal, created_at);
create index bookings_status on bookings (status, starts_at, id);
create index bookings_service on bookings (service_id, starts_at, id);
create index bookings_during on bookings using gist (tstzrange(starts_at, ends_at));
create index bookings_session on bookings (session_id) where session_id is not null;
create index bookings_resources on bookings using gin (resource_ids);
create index bookings_unresolved on bookings (expires_at) where expires_at is not null;
create index bookings_search on bookings using gin (search_text gin_trgm_ops);
-- Empty once the people are erased; those still to be erased are found by their end.
create index bookings_with_people on bookings (ends_at) where search_text <> '';

-- What decides whether a principal may hold yet another slot of a service: its live holds, and when holds were given up on
-- this day without a booking, by itself and, where it never booked, by whoever else calls from its address and never did.
-- Its other calls wait, so that two cannot both be the last that is allowed.
create function hold_use(
  caller text, origin text, service text, at timestamptz,
  out live integer, out frees_at timestamptz, out released timestamptz[], out released_nearby timestamptz[]
) language plpgsql as $$
declare
  booked_at timestamptz;
begin
  perform pg_advisory_xact_lock(hashtextextended('holds of ' || caller, 0));
  booked_at := (select max(created_at) from bookings where principal = caller);
  select count(*), min(expires_at) into live, frees_at
  from holds where principal = caller and service_id = service and status = 'active' and expires_at > at;
  released := array(
    select released_at from holds
    where principal = caller and released_at > greatest(booked_at, at - interval '1 day')
    order by released_at
  );
  released_nearby := array(
    select h.released_at from holds h
    where booked_at is null and h.address = origin and h.released_at > at - interval '1 day'
      and not exists (select from bookings where principal = h.principal)
    order by h.released_at
  );
end $$;

-- Who changed what, when: rows are added and never touched again.
create table changes (
  number bigint generated always as identity primary key,
  at timestamptz not null,
  actor text not null,
  action text not null,
  subject text not null,
  from_status text,
  to_status text,
  detail json not null
);
create index changes_subject on changes (subject, number);
create function refuse_rewriting() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger changes_stay before update or delete on changes for each row execute function refuse_rewriting();
create trigger journal_stays before update or delete on claim_journal
for each row execute function refuse_rewriting();
create trigger seat_journal_stays before update or delete on seat_journal
for each row execute function refuse_rewriting();

-- Time the staff keep free, or closed.
create table blocks (
  id text primary key,
  resource_id text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  reason text,
  created_by text not null,
  created_at timestamptz not null
);
create index blocks_of_resource on blocks (resource_id, starts_at);

-- What a kept answer tells of, so that it is found when the people in it are to be forgotten.
alter table replies add column subject text;

-- Whoever comes first under a key does the work and keeps the answer; others wait for the end of its transaction and then
-- find the answer, or the key free.
create function claim_key(
  caller text, named text, oldest timestamptz, out fingerprint bytea, out reply bytea
) language plpgsql as $$
declare
  kept replies;
begin
  perform pg_advisory_xact_lock(hashtextextended('key ' || named || ' of ' || caller, 0));
  select * into kept from replies where principal = caller and key = named;
  if kept.created_at < oldest then
    delete from replies where principal = caller and key = named;
  else
    fingerprint := kept.fingerprint;
    reply := kept.reply;
  end if;
end $$;
create index replies_subject on replies (subject) where subject is not null;

-- Calendar addresses that were handed out; of the secret in them only the digest is kept.
create table calendar_feeds (
  id text primary key,
  -- Null: the whole business.
  resource_id text,
  token_hash bytea not null unique,
  -- Who made it: when they leave it ends. Null: whoever runs the server.
  staff_id text references staff on delete cascade,
  created_at timestamptz not null
);

-- A page of a payment provider on which what is due for a booking can be paid. It is written down before the provider
-- is asked for it, so that asking once more leads to the same one.
create table checkouts (
  id text primary key,
  booking_id text not null references bookings,
  provider text not null,
  -- The provider's id of it, as soon as it has answered.
  reference text,
  amount bigint not null check (amount > 0),
  currency text not null,
  status text not null check (status in ('open', 'paid', 'closed')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Whoever closes those that nobody needs any more leaves it alone until then.
  next_at timestamptz not null
);
create index checkouts_booking on checkouts (booking_id);
create index checkouts_open on checkouts (next_at) where status = 'open';

-- Money that came in through a provider, and how much of it is to go back.
create table receipts (
  reference text primary key,
  provider text not null,
  booking_id text not null references bookings,
  amount bigint not null check (amount > 0),
  currency text not null,
  returned bigint not null check (returned between 0 and amount),
  received_at timestamptz not null
);
create index receipts_booking on receipts (booking_id);

-- Money on its way back. The provider is asked until it agrees, always under the same id, so that it goes back once.
create table refunds (
  id text primary key,
  receipt text not null references receipts,
  amount bigint not null check (amount > 0),
  reason text not null,
  status text not null check (status in ('waiting', 'given', 'refused')),
  attempts integer not null default 0,
  next_at timestamptz not null,
  -- The provider's id of it, or why it refuses.
  answer text,
  created_at timestamptz not null
);
create index refunds_waiting on refunds (next_at) where status = 'waiting';
create index refunds_receipt on refunds (receipt);

-- What the availability hint in the body was made of: when that is no longer so, the hint is made anew.
alter table services add column hint_basis text;

-- When each job of housekeeping is due next: of several servers the first that notices does it.
create table housekeeping (
  job text primary key,
  next_at timestamptz not null
);
