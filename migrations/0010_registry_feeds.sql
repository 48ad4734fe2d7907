alter table registrations
  -- Since when its feed is being read from the beginning; null while only what is new is read.
  add column reading_since timestamptz,
  -- When it was last begun to be read, from wherever.
  add column read_at timestamptz,
  -- How often the business told that its catalogue changed, and what of that has been heeded.
  add column notices integer not null default 0,
  add column notices_heeded integer not null default 0,
  -- When it is looked at next whether the business can tell.
  add column subscribe_at timestamptz not null default '-infinity';
create index registrations_told on registrations (read_at) where status = 'active' and notices > notices_heeded;

-- A business that answers elsewhere, or stands elsewhere, is read from the beginning. Whoever is reading it loses it.
create function registration_moved() returns trigger language plpgsql as $$
begin
  new.feed_cursor := null;
  new.reading_since := null;
  new.leased_until := null;
  new.next_index_at := least(new.next_index_at, new.modified_at);
  if new.endpoint is distinct from old.endpoint then
    new.subscription_id := null;
    new.subscribe_at := '-infinity';
  end if;
  return new;
end $$;
create trigger registrations_moved before update of profile_url, endpoint, location on registrations for each row
  when ((old.profile_url, old.endpoint, old.location::text) is distinct from (new.profile_url, new.endpoint, new.location::text))
  execute function registration_moved();

-- Subscriptions at businesses that nobody needs any more: they are canceled as soon as can be.
create table unwanted_subscriptions (
  number bigint generated always as identity primary key,
  endpoint text not null,
  subscription_id text not null,
  attempts integer not null default 0,
  next_at timestamptz not null default now()
);

create function subscription_unwanted() returns trigger language plpgsql as $$
begin
  insert into unwanted_subscriptions (endpoint, subscription_id) values (old.endpoint, old.subscription_id);
  return null;
end $$;
create trigger registrations_gone after delete on registrations for each row
  when (old.subscription_id is not null) execute function subscription_unwanted();
create trigger registrations_unsubscribed after update on registrations for each row
  when (old.subscription_id is not null and new.subscription_id is distinct from old.subscription_id)
  execute function subscription_unwanted();

-- Whoever reads catalogues hears of work when the transaction commits.
create function announce_reading() returns trigger language plpgsql as $$
begin
  perform pg_notify('registry', '');
  return null;
end $$;
create trigger registrations_due
  after insert or update of profile_url, endpoint, location, status, next_index_at, notices on registrations
  for each statement execute function announce_reading();
create trigger subscriptions_unwanted after insert on unwanted_subscriptions
  for each statement execute function announce_reading();
