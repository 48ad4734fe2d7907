create extension if not exists pg_trgm;
create extension if not exists fuzzystrmatch;

-- The one business this server speaks for. Columns repeat what every catalogue answer needs from the definition.
create table business (
  only_row boolean primary key default true check (only_row),
  definition json not null,
  -- Rises by one with every applied change; caches compare it.
  version integer not null,
  id text not null,
  currency text not null,
  language text not null,
  search boolean not null,
  applied_at timestamptz not null,
  -- The newest modified_at ever given to a service. The next one is later, whatever the clock says.
  catalogue_modified_at timestamptz not null
);

create table locations (
  id text primary key,
  latitude double precision,
  longitude double precision
);

create table services (
  id text primary key,
  -- Lists follow it: it never changes, so that an item inserted between two pages moves no other.
  ordinal integer generated always as identity unique,
  -- The Service as it goes over the wire.
  body json not null,
  -- Names and descriptions of the resources a buyer may choose, in other languages: the wire form has no place for them.
  resource_texts json not null,
  type text not null,
  status text not null,
  category_ids text[] not null,
  location_ids text[] not null,
  -- Every location the service was ever offered at: a feed read of one location tells of its leaving too.
  past_location_ids text[] not null,
  -- What a price filter compares, in minor units; both null when the price is unknown.
  price_from bigint,
  price_to bigint,
  currency text not null,
  search_words tsvector not null,
  search_names text not null,
  search_text text not null,
  modified_at timestamptz not null,
  deleted_at timestamptz,
  -- What the availability hint in the body was made of: when that is no longer so, the hint is made anew.
  hint_basis text
);
create unique index services_feed on services (modified_at, id);
create index services_search_words on services using gin (search_words);
create index services_search_text on services using gin (search_text gin_trgm_ops);
create index services_past_locations on services using gin (past_location_ids);

-- Whether two words differ by a slip: one letter in four or five, two in longer ones.
create function nearly_same(word text, other text) returns boolean
language sql immutable strict
as $$
  select length(word) > 3 and levenshtein_less_equal(word, other, 2) <= case when length(word) > 5 then 2 else 1 end
$$;

-- Which services answer to the words of a query, and how well (0 to about 1000). At least half of the words must be
-- found: as a word or its beginning, within another word, or misspelled. Names weigh more than categories, those more
-- than the rest. The trigram index yields candidates; the stricter conditions choose among them.
create function services_matching(words text[]) returns table (id text, score integer)
language sql stable
set pg_trgm.word_similarity_threshold = 0.3
as $$
  with found as (
    select s.id, s.search_names, s.search_text, w.word,
           ts_rank('{0.1, 0.2, 0.5, 1.0}', s.search_words, to_tsquery('simple', w.word || ':*')) as rank,
           word_similarity(w.word, s.search_text) as similarity
    from unnest(words) as w (word)
    join services s on s.search_words @@ to_tsquery('simple', w.word || ':*') or s.search_text %> w.word
  )
  select found.id,
         round(1000 * sum(0.6 * rank + 0.3 * word_similarity(word, search_names) + 0.1 * similarity)
               / cardinality(words))::integer
  from found
  where rank > 0 or similarity >= 0.5
     or exists (select from unnest(string_to_array(search_names, ' ')) as name where nearly_same(word, name))
  group by found.id
  having count(*) * 2 >= cardinality(words)
$$;

-- Great-circle distance in whole metres. Of nothing but strict functions, so that a query that compares many places takes
-- it in instead of calling it: a tenth of the time. Angles far below what a double can multiply would raise an underflow;
-- taken as differences from a whole turn they are either nothing or large enough: a ten-thousandth of a millimetre.
create function metres_between(lat1 double precision, lng1 double precision, lat2 double precision, lng2 double precision)
returns integer language sql immutable strict
as $$
  select (12742000 * atan2(
    sqrt(sin(radians((lat2 + 360) - (lat1 + 360)) / 2) ^ 2
      + cos(radians(lat1 + 360)) * cos(radians(lat2 + 360)) * sin(radians((lng2 + 360) - (lng1 + 360)) / 2) ^ 2),
    sqrt(abs(1 - sin(radians((lat2 + 360) - (lat1 + 360)) / 2) ^ 2
      - cos(radians(lat1 + 360)) * cos(radians(lat2 + 360)) * sin(radians((lng2 + 360) - (lng1 + 360)) / 2) ^ 2))
  ))::integer
$$;
