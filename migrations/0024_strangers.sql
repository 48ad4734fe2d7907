-- What callers made whose key nobody publishes, and from where they called: a network is one address of IPv4, or all that one
-- subscriber has of IPv6. A row goes as soon as what it tells of does not count any more.
create table strangers (
  kind text not null check (kind in ('hold', 'booking', 'entry')),
  id text not null,
  network text not null,
  -- Whether a booking stood at once: nobody was asked to approve it or to pay.
  stood boolean not null,
  made_at timestamptz not null,
  primary key (kind, id)
);
create index strangers_network on strangers (network, kind);

-- Until when each of them counts; no longer when that is null.
create view strangers_live as
select kind, id, network, case kind
  when 'hold' then (select expires_at from holds where holds.id = strangers.id and status = 'active')
  when 'booking' then (
    select case
      when expires_at is not null then expires_at
      when stood and status = 'confirmed' then made_at + interval '1 hour'
    end from bookings where bookings.id = strangers.id
  )
  when 'entry' then (
    select 'infinity'::timestamptz from waitlist_entries e where e.id = strangers.id and status in ('waiting', 'offered')
  )
end as live_until
from strangers;

-- Whether strangers of a network may have one more. Their other calls wait, so that two cannot both be the last.
create function few_of_strangers(what text, origin text, at timestamptz, most integer) returns boolean language plpgsql as $$
declare
  live integer;
  frees_at timestamptz;
begin
  perform pg_advisory_xact_lock(hashtextextended('strangers ' || what || ' ' || origin, 0));
  select count(*), min(live_until) into live, frees_at
  from strangers_live where network = origin and kind = what and live_until > at;
  return live < most or refuse('few_of_strangers', json_build_object('until', frees_at)::text);
end $$;

-- Made by a key that the profile does not publish although it publishes others: who owns the profile cannot read it, so what
-- is told of it comes in a line of its own.
alter table bookings add column told_apart boolean not null default false;
alter table waitlist_entries add column told_apart boolean not null default false;

-- When a receiver said that it wants no more of this.
alter table receivers add column gone_at timestamptz;

-- As what a subscription counts where it sends to: a host of somebody else. Null for a platform's own.
alter table feed_subscriptions add column crowd text;
create index feed_subscriptions_crowd on feed_subscriptions (crowd) where crowd is not null and status <> 'canceled';

-- Who was not here for long and left nothing behind is forgotten.
alter table principals add column last_seen timestamptz;
update principals set last_seen = now();
alter table principals alter column last_seen set not null;
create index principals_seen on principals (last_seen) where principal like 'key:%';
create index registrations_owner on registrations (principal);
