-- What happened, as it is told to whom it concerns; written in the transaction that made it happen.
create table events (
  id text primary key,
  number bigint generated always as identity unique,
  type text not null,
  -- What it is about: events of one subject are told in their order.
  subject text not null,
  -- What it was about, as it stood right after: the body is made of it.
  snapshot json,
  -- The body as it is sent, but for what differs from one receiver to the other. Made once, before the first attempt.
  body json,
  at timestamptz not null,
  check (snapshot is not null or body is not null)
);
create index events_subject on events (subject, number);

-- One event on its way to one receiver.
create table deliveries (
  id bigint generated always as identity primary key,
  event_id text not null references events on delete cascade,
  -- `profile https://…` or `subscription sub_…`.
  receiver text not null,
  subject text not null,
  status text not null check (status in ('waiting', 'delivered', 'given_up', 'unwanted')),
  attempts integer not null default 0,
  -- The first of its line, which alone is sent: what one receiver is told of one subject goes one after the other.
  first boolean not null default false,
  -- Not before this.
  next_at timestamptz not null,
  -- Somebody is sending it until then, if the process lives.
  leased_until timestamptz,
  ended_at timestamptz
);
create index deliveries_line on deliveries (receiver, subject, id) where status = 'waiting';
create index deliveries_due on deliveries (receiver, next_at, id) where first;
create index deliveries_first on deliveries (receiver, subject) where first;
create index deliveries_underway on deliveries (receiver, leased_until) where leased_until is not null;
create index deliveries_event on deliveries (event_id);

-- Whoever stands ahead is held until the newcomer is there to be seen: it cannot end meanwhile and leave nobody first.
create function line_up_delivery() returns trigger language plpgsql as $$
begin
  perform from deliveries where receiver = new.receiver and subject = new.subject and status = 'waiting'
    order by id desc limit 1 for share;
  new.first := new.status = 'waiting' and not found;
  return new;
end $$;
create trigger deliveries_line_up before insert on deliveries for each row execute function line_up_delivery();

-- Who leaves the line, or comes back to it, is not first any more.
create function leave_line() returns trigger language plpgsql as $$
begin
  new.first := false;
  return new;
end $$;
create trigger deliveries_leave before update of status on deliveries for each row
  when (old.status <> new.status) execute function leave_line();

-- Then the oldest that waits is.
create function move_up_line() returns trigger language plpgsql as $$
declare
  oldest bigint;
begin
  select id into oldest from deliveries
    where receiver = new.receiver and subject = new.subject and status = 'waiting' order by id limit 1;
  update deliveries set first = false
    where receiver = new.receiver and subject = new.subject and first and id <> oldest;
  update deliveries set first = true where id = oldest and not first;
  return null;
end $$;
create trigger deliveries_move_up after update of status on deliveries for each row
  when (old.status <> new.status) execute function move_up_line();

create table delivery_attempts (
  delivery_id bigint not null references deliveries on delete cascade,
  at timestamptz not null,
  -- Of HTTP; null when there was no answer.
  status integer,
  problem text,
  milliseconds integer not null
);
create index delivery_attempts_delivery on delivery_attempts (delivery_id, at);

-- Receivers that fail again and again are left alone for a while, all of their events together.
create table receivers (
  receiver text primary key,
  failures integer not null,
  resting_until timestamptz
);

-- Whoever waits for work hears of it when the transaction commits.
create function announce_delivery() returns trigger language plpgsql as $$
begin
  perform pg_notify('deliveries', '');
  return null;
end $$;
create trigger deliveries_announced after insert on deliveries for each statement execute function announce_delivery();

-- A key is published before it signs and stays published after it did.
alter table signing_keys add column signs_from timestamptz;
update signing_keys set signs_from = created_at;
alter table signing_keys alter column signs_from set not null;
alter table signing_keys add column published_until timestamptz;

-- The start that the platform was reminded of.
alter table bookings add column reminded_for timestamptz;
