-- Every word of a search is compared with all that are known, and whoever is listed may bring ever new ones: three hundred
-- thousand that resemble a common one made a search take seconds. What comes when there are so many is found as it is
-- written, though not misspelled, until others were forgotten.
create or replace function keep_registry_words() returns trigger language plpgsql as $$
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
