-- Where a place is, as a point of longitude and latitude. These two stand in generated columns and so call nothing but
-- what PostgreSQL itself has: a dump is restored under an empty search path.
create function place_of(location json) returns point language sql immutable strict
as $$
  select point((location #>> '{coordinates,lng}')::double precision, (location #>> '{coordinates,lat}')::double precision)
$$;

create function places_of(locations json) returns point[] language sql immutable strict
as $$
  select array_agg(point((place #>> '{coordinates,lng}')::double precision, (place #>> '{coordinates,lat}')::double precision)
                   order by position)
  from json_array_elements(locations) with ordinality as listed (place, position)
  where place #>> '{coordinates,lat}' is not null
$$;

-- The smallest box around several places. Two that lie on either side of the 180th meridian make one around the world,
-- which finds too much and misses nothing: the distance to each place decides.
create function area_of(locations json) returns box language sql immutable strict
as $$
  select box(point(max((place #>> '{coordinates,lng}')::double precision), max((place #>> '{coordinates,lat}')::double precision)),
             point(min((place #>> '{coordinates,lng}')::double precision), min((place #>> '{coordinates,lat}')::double precision)))
  from json_array_elements(locations) as place
$$;

-- The businesses that let themselves be found here.
create table registrations (
  id text primary key,
  -- Lists follow it.
  number integer generated always as identity unique,
  -- Who alone may change it.
  principal text not null,
  profile text not null,
  profile_url text not null unique,
  deployment_mode text not null check (deployment_mode in ('standalone', 'ucp_native')),
  name text not null,
  description text,
  verticals text[] not null,
  categories text[] not null,
  location json,
  place point generated always as (place_of(location)) stored,
  timezone text not null,
  search_words tsvector not null,
  -- Of these the names alone, and with them the categories: what is looked for there first has statistics of its own.
  search_names tsvector generated always as (ts_filter(search_words, '{a}')) stored,
  search_titles tsvector generated always as (ts_filter(search_words, '{a,b}')) stored,
  status text not null check (status in ('active', 'inactive')),
  -- Why it is inactive, in words.
  problem text,
  created_at timestamptz not null,
  modified_at timestamptz not null,

  -- When its profile was last seen valid, when it is looked at again, and how often in a row that failed.
  checked_at timestamptz not null,
  next_check_at timestamptz not null,
  failures integer not null default 0,

  -- Where its catalogue is read over REST, how far it was read, and what went wrong with that.
  endpoint text,
  feed_cursor text,
  indexed_at timestamptz,
  next_index_at timestamptz not null,
  index_failures integer not null default 0,
  index_problem text,
  -- At the business, whose feed then tells of changes.
  subscription_id text,
  -- Somebody checks or reads it until then, if the process lives.
  leased_until timestamptz
);
create index registrations_place on registrations using gist (place);
create index registrations_words on registrations using gin (search_words);
create index registrations_categories on registrations using gin (categories);
create index registrations_check on registrations (next_check_at);
create index registrations_index on registrations (next_index_at) where status = 'active';
create index registrations_inactive on registrations (id) where status = 'inactive';

-- What the catalogues of these businesses offered when they were last read.
create table indexed_services (
  registration_id text not null references registrations on delete cascade,
  service_id text not null,
  number integer generated always as identity unique,
  -- As a search shows it, but for what its business, its places and the time of reading add.
  body json not null,
  type text not null,
  category_ids text[] not null,
  -- Where it is to be had, each as a search shows it; empty when it is nowhere in particular.
  places json not null,
  points point[] generated always as (places_of(places)) stored,
  area box generated always as (area_of(places)) stored,
  currency text not null,
  -- In minor units; both null when the price cannot be told.
  price_from bigint,
  price_to bigint,
  -- Both null when the duration cannot be told.
  minutes_from integer,
  minutes_to integer,
  next_available_date date,
  search_words tsvector not null,
  search_names tsvector generated always as (ts_filter(search_words, '{a}')) stored,
  search_titles tsvector generated always as (ts_filter(search_words, '{a,b}')) stored,
  indexed_at timestamptz not null,
  primary key (registration_id, service_id),
  check ((price_from is null) = (price_to is null)),
  check ((minutes_from is null) = (minutes_to is null))
);
create index indexed_services_area on indexed_services using gist (area);
create index indexed_services_names on indexed_services using gin (search_names);
create index indexed_services_titles on indexed_services using gin (search_titles);
create index indexed_services_words on indexed_services using gin (search_words);
create index indexed_services_categories on indexed_services using gin (category_ids);
create index indexed_services_soonest on indexed_services (coalesce(next_available_date, 'infinity'), number);

-- Every word that a business or service is found by: a misspelled one is looked up here, once for a search.
create table registry_words (
  -- In the order of their bytes: those that begin alike stand together.
  word text collate "C" primary key
);
create index registry_words_alike on registry_words using gin (word gin_trgm_ops);

-- In the order of the alphabet, so that no two writers wait for each other.
create function keep_registry_words() returns trigger language plpgsql as $$
begin
  insert into registry_words
    select distinct found.word from written cross join unnest(tsvector_to_array(written.search_words)) as found (word)
    where not exists (select from registry_words known where known.word = found.word)
    order by found.word
    on conflict do nothing;
  return null;
end $$;
create trigger registrations_words_new after insert on registrations
  referencing new table as written for each statement execute function keep_registry_words();
create trigger registrations_words_changed after update on registrations
  referencing new table as written for each statement execute function keep_registry_words();
create trigger indexed_services_words_new after insert on indexed_services
  referencing new table as written for each statement execute function keep_registry_words();
create trigger indexed_services_words_changed after update on indexed_services
  referencing new table as written for each statement execute function keep_registry_words();

-- What the words of a search may stand for: each for the words that begin with it (`found`), one of four letters and
-- more also for those that hold it and those that differ by a slip, or by two where it is long (`alike`). A word that
-- stands somewhere as it is was probably meant so, and is allowed one slip less; one that nothing begins with stands for
-- what is like it. The words are written out, unless there are too many: looking for a beginning takes much longer.
create function registry_query(words text[]) returns table (found text, alike text)
language sql stable
set pg_trgm.similarity_threshold = 0.25
as $$
  select coalesce(case when count <= 20 then begun else quote_literal(asked.word) || ':*' end, near, quote_literal(asked.word)),
    case when count > 0 then near end
  from unnest(words) with ordinality as asked (word, position)
  cross join lateral (
    select count(*), string_agg(quote_literal(longer.word), ' | ') as begun, bool_or(longer.word = asked.word) is true as stands
    from (
      select known.word from registry_words known
      where known.word >= asked.word and known.word < asked.word || U&'\+10FFFF'
      order by known.word limit 21
    ) longer
  ) beginning
  cross join lateral (
    select string_agg(quote_literal(likely.word), ' | ') as near from (
      select known.word
      from registry_words known, (select case when length(asked.word) > 5 then 2 else 1 end - stands::integer as slips) allowed
      where length(asked.word) > 3
        and (known.word % asked.word or known.word like '%' || asked.word || '%')
        and not starts_with(known.word, asked.word)
        and (strpos(known.word, asked.word) > 0 or levenshtein_less_equal(asked.word, known.word, slips) <= slips)
      order by similarity(known.word, asked.word) desc, known.word limit 20
    ) likely
  ) likeness
  order by position
$$;

-- Great-circle distance in whole metres, as before; of nothing but strict functions, so that a query that compares many
-- places takes it in instead of calling it: a tenth of the time.
create or replace function metres_between(lat1 double precision, lng1 double precision, lat2 double precision, lng2 double precision)
returns integer language sql immutable strict
as $$
  select (12742000 * atan2(
    sqrt(sin(radians(lat2 - lat1) / 2) ^ 2 + cos(radians(lat1)) * cos(radians(lat2)) * sin(radians(lng2 - lng1) / 2) ^ 2),
    sqrt(abs(1 - sin(radians(lat2 - lat1) / 2) ^ 2 - cos(radians(lat1)) * cos(radians(lat2)) * sin(radians(lng2 - lng1) / 2) ^ 2))
  ))::integer
$$;
