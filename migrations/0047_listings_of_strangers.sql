-- A listing costs its host nothing but a path. So those are counted by host that were made by callers whose key no profile
-- publishes; whoever is known may list a chain of thousands at one.
alter table registrations
  add column by_stranger boolean not null default false,
  add column host text generated always as (substring(profile_url from '^https?://([^/?#]*)')) stored;
create index registrations_of_strangers on registrations (host) where by_stranger;
