-- What the staff note of a person. Who comes shows from their bookings; nobody has a record before something is noted of them.
create table customers (
  id text primary key,
  note text not null default '',
  tags text[] not null default '{}',
  created_at timestamptz not null
);
-- By what the bookings of a person are found: an address in lower case, the end of a number, or the id of a booking that has
-- neither. A booking is of whoever has its address, or else its number.
create table customer_contacts (
  contact text primary key,
  customer_id text not null references customers on delete cascade
);
create index customer_contacts_customer on customer_contacts (customer_id);

-- However a number begins, with the code of its country or without, these digits are the same.
create function phone_contact(number text) returns text language sql immutable strict as $$
  select nullif(right(regexp_replace(number, '\D', '', 'g'), 9), '')
$$;
create index bookings_of_phone on bookings (phone_contact(people #>> '{buyer,phone_number}')) where search_text <> '';

-- What is searched for is compared without accents.
update bookings set search_text = regexp_replace(normalize(search_text, NFD), '[\u0300-\u036f]', '', 'g')
where search_text ~ '[^\x01-\x7f]';

-- Bookings whose people have all of these words in their names, address or number, or such as differ by a letter: the closest
-- first, of those the latest. The first word is the one that the index is asked for.
create function bookings_of_people(words text[], most integer) returns setof bookings
language sql stable
set pg_trgm.word_similarity_threshold = 0.4
as $$
  select b.* from bookings b
  where b.search_text <> ''
    and (words[1] <% b.search_text or b.search_text like '%' || words[1] || '%')
    and not exists (
      select from unnest(words) as word
      where b.search_text not like '%' || word || '%'
        and not exists (select from string_to_table(b.search_text, ' ') as name where length(name) < 100 and nearly_same(word, name))
    )
  order by (select sum(word_similarity(word, b.search_text)) from unnest(words) as word) desc, b.starts_at desc, b.id
  limit most
$$;
