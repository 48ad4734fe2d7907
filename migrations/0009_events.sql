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
  -- The step that made it happen, as W3C Trace Context names it, where steps were traced: whoever is told of it goes on from there.
  traceparent text,
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
  ended_at timestamptz,
  -- How often it was begun to be sent since an attempt last came to its end. Counted before it is sent: what ends the server
  -- that sends it is not begun for ever.
  begun integer not null default 0,
  -- What nobody received waits in the inbox of the desk until it is sent again, or somebody says that it need not be.
  dismissed_at timestamptz
);
create index deliveries_line on deliveries (receiver, subject, id) where status = 'waiting';
create index deliveries_due on deliveries (receiver, next_at, id) where first;
create index deliveries_first on deliveries (receiver, subject) where first;
create index deliveries_underway on deliveries (receiver, leased_until) where leased_until is not null;
create index deliveries_event on deliveries (event_id);
create index deliveries_given_up on deliveries (id) where status = 'given_up' and dismissed_at is null;
-- How old the oldest is that waits is asked again and again by whoever watches.
create index deliveries_waiting on deliveries (id) where status = 'waiting';

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

-- Whoever waits for work hears of it when the transaction commits.
create function announce_delivery() returns trigger language plpgsql as $$
begin
  perform pg_notify('deliveries', '');
  return null;
end $$;
create trigger deliveries_announced after insert on deliveries for each statement execute function announce_delivery();

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
  resting_until timestamptz,
  -- When a receiver said that it wants no more of this.
  gone_at timestamptz,
  -- When something went wrong there last.
  noted_at timestamptz not null
);
create index receivers_noted on receivers (noted_at);

-- Platforms that are told when the catalogue changes.
create table feed_subscriptions (
  id text primary key,
  principal text not null,
  profile text not null,
  callback_url text not null,
  categories text[],
  events text[],
  status text not null check (status in ('active', 'paused', 'canceled')),
  -- The feed position up to which changes count as delivered; kept while paused.
  position_modified_at timestamptz not null,
  position_id text not null,
  created_at timestamptz not null,
  -- As what a subscription counts where it sends to: a host of somebody else. Null for a platform's own.
  crowd text,
  -- A canceled subscription can be asked for what it is for a while, and is then forgotten. Nobody could pile them up otherwise
  -- but by subscribing and canceling.
  canceled_at timestamptz,
  check ((status = 'canceled') = (canceled_at is not null))
);
create index feed_subscriptions_owner on feed_subscriptions (principal);
create index feed_subscriptions_crowd on feed_subscriptions (crowd) where crowd is not null and status <> 'canceled';
create index feed_subscriptions_canceled on feed_subscriptions (canceled_at) where canceled_at is not null;
