-- Where a place is, as a point of longitude and latitude. This and the two that follow stand in generated columns and so call
-- nothing but what PostgreSQL itself has: a dump is restored under an empty search path.
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
  -- Somebody reads it until then, if the process lives.
  leased_until timestamptz,
  -- Since when its feed is being read from the beginning; null while only what is new is read.
  reading_since timestamptz,
  -- When it was last begun to be read, from wherever.
  read_at timestamptz,
  -- How often the business told that its catalogue changed, and what of that has been heeded.
  notices integer not null default 0,
  notices_heeded integer not null default 0,
  -- When it is looked at next whether the business can tell.
  subscribe_at timestamptz not null default '-infinity',
  -- How often it was begun to read the catalogue, and to look at the profile, since that last came to its end. Counted before
  -- anything is asked: what ends the server that asks is not asked again at once, for ever.
  readings_begun integer not null default 0,
  checks_begun integer not null default 0,

  -- The domain at which a caller listed it whose key no profile publishes. Those are counted by it: a listing costs its host
  -- nothing but a path, and its domain's owner nothing but a name; whoever is known may list a chain of thousands at one. What
  -- is a domain changes with the years, so it is written down when a business is listed.
  stranger_site text,
  -- Somebody looks at its profile until then, if the process lives; as soon as it is gone that is due again.
  check_leased_until timestamptz
);
create index registrations_owner on registrations (principal);
create index registrations_of_strangers on registrations (stranger_site) where stranger_site is not null;
create index registrations_place on registrations using gist (place);
create index registrations_words on registrations using gin (search_words);
create index registrations_categories on registrations using gin (categories);
create index registrations_check on registrations (next_check_at);
create index registrations_index on registrations (next_index_at) where status = 'active';
create index registrations_told on registrations (read_at) where status = 'active' and notices > notices_heeded;
create index registrations_inactive on registrations (id) where status = 'inactive';

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

-- Whoever reads catalogues hears of work when the transaction commits. For each row: a trigger for each statement fires for one
-- that changes no row, too, and to look for a catalogue to read is an update that mostly finds none. It would announce work to
-- whoever looks for it, who would look again at once, for ever.
create function announce_reading() returns trigger language plpgsql as $$
begin
  perform pg_notify('registry', '');
  return null;
end $$;
create trigger registrations_due
  after insert or update of profile_url, endpoint, location, status, next_index_at, notices on registrations
  for each row execute function announce_reading();
create trigger subscriptions_unwanted after insert on unwanted_subscriptions
  for each row execute function announce_reading();

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
create index indexed_services_names on indexed_services using gin (search_names);
create index indexed_services_titles on indexed_services using gin (search_titles);
create index indexed_services_words on indexed_services using gin (search_words);
create index indexed_services_categories on indexed_services using gin (category_ids);
create index indexed_services_soonest on indexed_services (coalesce(next_available_date, 'infinity'), number);
-- What is in a circle is shown by its next free day. This index has them by their day and then by their place, and with them
-- all that is compared: the first days are read, and rows of those alone that are shown. Else, in a city of many thousands of
-- services, all of them would be read, with their texts, to show twenty.
create index indexed_services_area_soonest on indexed_services using gist (next_available_date, area)
  include (number, registration_id, points);
-- Of a category in a circle nothing else is read, neither the rest of the circle nor of the category. No word of a tsvector
-- is empty; what takes its place is told apart by looking at the row. With short signatures it is written as fast as without.
create index indexed_services_area on indexed_services
  using gist (area, array_to_tsvector(array_replace(category_ids, '', ' ')) tsvector_ops (siglen = 16));

-- Every word that a business or service is found by: a misspelled one is looked up here, once for a search.
create table registry_words (
  -- In the order of their bytes: those that begin alike stand together.
  word text collate "C" primary key
);
create index registry_words_alike on registry_words using gin (word gin_trgm_ops);
create index registry_words_middles on registry_words (substr(word, 3));
create index registry_words_ends on registry_words (reverse(word));

-- Whoever is listed may bring ever new words, and a search costs the more the more are known. What comes when there are so many
-- is found as it is written, though not misspelled, until others were forgotten. In the order of the alphabet, so that no
-- two writers wait for each other.
create function keep_registry_words() returns trigger language plpgsql as $$
declare
  most constant integer := 100000;
  fresh text[];
  already integer;
begin
  -- Whoever forgets words waits until what takes them for known is there to be seen.
  lock table registry_words in row exclusive mode;
  fresh := array(
    select distinct found.word from written cross join unnest(tsvector_to_array(written.search_words)) as found (word)
    where not exists (select from registry_words known where known.word = found.word)
  );
  if cardinality(fresh) = 0 then return null; end if;
  select count(*) into already from (select from registry_words limit most) counted;
  insert into registry_words
    select word from (select unnest(fresh) as word order by 1 limit most - already) kept
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
--
-- A misspelled word is compared with words that begin, go on or end as it does, since of three parts with two slips one is
-- whole, and with no more of them than can be compared in a few milliseconds. Were it looked for by its trigrams, words made to
-- share them, 80,000 near-variants of one of sixty letters, would make a search of eight take longer than a statement may.
-- Within others a word is looked for by its first letters: that costs as much for each letter as there are words.
create function registry_query(words text[]) returns table (found text, alike text)
language sql stable
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
    select length(asked.word) > 3 as is_long,
      case when length(asked.word) > 5 then 2 when length(asked.word) > 3 then 1 else 0 end - stands::integer as slips
  ) allowed
  cross join lateral (select left(asked.word, 2) as first, right(asked.word, greatest(2, length(asked.word) / 3)) as last) part
  cross join lateral (select substr(asked.word, 3, length(asked.word) - 2 - length(last)) as middle) rest
  cross join lateral (
    select string_agg(quote_literal(likely.word), ' | ') as near from (
      select word from (
        (select known.word from registry_words known
          where slips > 0 and known.word >= first and known.word < first || U&'\+10FFFF' limit 5000)
        union
        (select known.word from registry_words known
          where slips > 1 and substr(known.word, 3) >= middle and substr(known.word, 3) < middle || U&'\+10FFFF' limit 5000)
        union
        (select known.word from registry_words known
          where slips > 0 and reverse(known.word) >= reverse(last) and reverse(known.word) < reverse(last) || U&'\+10FFFF' limit 5000)
        union
        (select known.word from registry_words known
          where is_long and known.word like '%' || left(asked.word, 8) || '%'
          limit 1000)
      ) candidates
      cross join lateral (select levenshtein_less_equal(asked.word, word, slips) as slipped offset 0) compared
      where not starts_with(word, asked.word)
        and (slipped <= slips or strpos(word, asked.word) > 0)
      order by slipped, length(word), word limit 20
    ) likely
  ) likeness
  order by position
$$;
