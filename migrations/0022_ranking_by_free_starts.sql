-- expand
-- The free starts of a service for the ranking of searches: the ruler of its shortest duration, in milliseconds, and the indexes
-- of the free starts. All are null for a service whose hint has no usable bitmap.
alter table indexed_services
  add column ruler_from bigint,
  add column ruler_interval bigint,
  add column ruler_count bigint,
  add column openings int8multirange,
  -- From then on, next_available_date or the hint may no longer be right.
  add column recount_at timestamptz;
create index indexed_services_recount on indexed_services (recount_at) where recount_at is not null;
-- Prices that the protocol no longer allows cannot be shown.
delete from indexed_services where case body #>> '{pricing,model}'
  when 'free' then body #> '{pricing,amount}' is not null or body #> '{pricing,price_range}' is not null
  when 'variable' then false
  else coalesce((body #>> '{pricing,amount}')::numeric <= 0, true) end;
-- The registry reads all catalogues again: until now, it took the day from hints without bitmaps.
update registrations set feed_cursor = null, reading_since = null, next_index_at = now();

-- Former versions of indexed services. The pages of one search show the index as it was at the first page.
create table former_services (
  registration_id text not null,
  service_id text not null,
  number integer not null,
  body json not null,
  type text not null,
  category_ids text[] not null,
  places json not null,
  points point[] generated always as (places_of(places)) stored,
  area box generated always as (area_of(places)) stored,
  currency text not null,
  price_from bigint,
  price_to bigint,
  minutes_from integer,
  minutes_to integer,
  next_available_date date,
  search_words tsvector not null,
  search_names tsvector generated always as (ts_filter(search_words, '{a}')) stored,
  search_titles tsvector generated always as (ts_filter(search_words, '{a,b}')) stored,
  indexed_at timestamptz not null,
  ruler_from bigint,
  ruler_interval bigint,
  ruler_count bigint,
  openings int8multirange,
  -- The index had this version of the service in its states before this one.
  until bigint not null,
  ended_at timestamptz not null default now()
);
create index former_services_until on former_services (until);
create index former_services_of_registration on former_services (registration_id);
create index former_services_ended on former_services (ended_at);

-- One row: the number of the present state of the index, and the largest number of a service in it. Whoever changes the index locks
-- the row, so that states are committed in their order.
create table registry_state (
  only_row boolean primary key default true check (only_row),
  version bigint not null default 1,
  last_number integer not null default 0
);
insert into registry_state (last_number) select coalesce(max(number), 0) from indexed_services;

-- Keeps the present versions of these services, before they are changed or removed. A business that changes all its services again
-- and again keeps at most about 10,000 former versions.
create function keep_former_services(numbers integer[]) returns void language plpgsql as $$
declare
  most constant integer := 10000;
  state bigint;
begin
  if cardinality(numbers) = 0 then return; end if;
  update registry_state set version = version + 1 returning version into state;
  insert into former_services (registration_id, service_id, number, body, type, category_ids, places, currency, price_from, price_to,
      minutes_from, minutes_to, next_available_date, search_words, indexed_at, ruler_from, ruler_interval, ruler_count, openings, until)
    select registration_id, service_id, number, body, type, category_ids, places, currency, price_from, price_to,
      minutes_from, minutes_to, next_available_date, search_words, indexed_at, ruler_from, ruler_interval, ruler_count, openings, state
    from indexed_services s
    where number = any (numbers) and most > (
      select count(*) from (select from former_services f where f.registration_id = s.registration_id limit most) counted);
end $$;
