-- A misspelled word was looked for by its trigrams: words made to share them, 80,000 near-variants of one of sixty letters,
-- made a search of eight take longer than a statement may. It is compared now with words that begin, go on or end as it does,
-- since of three parts with two slips one is whole, and with no more of them than can be compared in a few milliseconds. Within
-- others a word is looked for by its first letters: that costs as much for each letter as there are words.
drop function registry_query(text[]);
create index registry_words_middles on registry_words (substr(word, 3));
create index registry_words_ends on registry_words (reverse(word));

-- What the words of a search may stand for: each for the words that begin with it (`found`), one of four letters and
-- more also for those that hold it and those that differ by a slip, or by two where it is long (`alike`). A word that
-- stands somewhere as it is was probably meant so, and is allowed one slip less; one that nothing begins with stands for
-- what is like it. The words are written out, unless there are too many: looking for a beginning takes much longer.
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
