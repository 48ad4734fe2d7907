create extension if not exists btree_gist;

-- What a change writes down, and what must be true for it, goes to the database in the last statement of its transaction,
-- which often is its only one. What is not true that must be fails with this code, the name of the function that found out
-- and what there is to be said: then nothing of the transaction stays.
create function refuse(demand text, said text default '') returns boolean language plpgsql as $$
begin
  raise exception using errcode = 'USP01', message = demand, detail = said;
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

-- Everything that takes up time of a person, a room, a table or a piece of equipment, buffers included. While a row
-- exists its time is taken: no two rows of one resource can overlap, whatever the code above believes.
create table claims (
  id bigint generated always as identity primary key,
  resource_id text not null,
  during tstzrange not null check (not isempty(during)),
  -- Checked against an array, as all that every hold and booking writes: a list is read and put together anew with each
  -- statement, an array is ready as it is.
  holder_kind text not null check (holder_kind = any ('{hold,booking,offer,block,session}')),
  holder_id text not null,
  -- From then on it counts for nothing; whoever needs the time removes it.
  expires_at timestamptz,
  constraint claims_never_overlap exclude using gist (resource_id with =, during with &&)
);
create index claims_holder on claims (holder_kind, holder_id);
create index claims_lapsing on claims (expires_at) where expires_at is not null;
-- Claims of one resource never overlap, so they stand in a line. What is taken within some time is read along it: the
-- constraint's own index, which must find what overlaps anything, has to look into more pages the more there are.
create index claims_in_line on claims (resource_id, lower(during)) include (during, holder_kind, expires_at);

-- What was ever claimed and given up, in the order in which it happened: `usp verify` replays it. A claim is entered
-- after its row has passed the constraint, so its number is always higher than that of what had to go before it.
create table claim_journal (
  number bigint generated always as identity primary key,
  claim_id bigint not null,
  event text not null check (event = any ('{taken,ended}')),
  resource_id text not null,
  during tstzrange not null,
  holder_kind text not null,
  holder_id text not null
);
create trigger journal_stays before update or delete on claim_journal
for each row execute function refuse_rewriting();

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

-- In one order, so that rivals never wait for each other in a circle; mostly there is but one. What is assigned costs a fraction
-- of what is performed, which is a statement.
create function lock_resources(resources text[]) returns void language plpgsql as $$
declare
  resource text;
  locked boolean;
begin
  if cardinality(resources) > 1 then
    resources := array(select distinct one from unnest(resources) one order by one);
  end if;
  foreach resource in array resources loop
    locked := pg_advisory_xact_lock(hashtextextended(resource, 0)) is null;
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

-- No session ever has more places taken than it has, whatever writes seats or capacity: the row is locked before it is counted.
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
create trigger seat_journal_stays before update or delete on seat_journal
for each row execute function refuse_rewriting();

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
-- Those that are not over yet are listed.
create index blocks_ahead on blocks (ends_at);
