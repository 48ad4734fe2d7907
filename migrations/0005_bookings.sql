create table holds (
  id text primary key,
  service_id text not null,
  slot_id text not null,
  spots integer not null,
  principal text not null,
  profile text not null,
  address text not null,
  -- An active one whose time has passed is expired, whether or not a row says so.
  status text not null check (status = any ('{active,released,converted}')),
  booking_id text,
  created_at timestamptz not null,
  released_at timestamptz,
  expires_at timestamptz not null,
  -- What the price of the slot was reckoned from when it was taken.
  price json,
  -- On which day of its service a hold counts whose link nobody has opened: an assistant made it for somebody, or for nobody at
  -- all. Null once it was opened, and for all other holds.
  unopened_on text
);
create index holds_live on holds (principal, service_id, expires_at) where status = 'active';
create index holds_given_up on holds (principal, released_at) where released_at is not null;
create index holds_given_up_nearby on holds (address, released_at) where released_at is not null;
-- What has ended is found by when it did.
create index holds_ended on holds (expires_at);
create index holds_unopened on holds (service_id, unopened_on, created_at) where unopened_on is not null;
-- What became of a link is found by whose it is.
create index holds_of_assistants on holds (principal, created_at) where starts_with(principal, 'assistant:');

-- By which somebody whose assistant books for them without signing in shows that an address is theirs. The code itself is kept
-- nowhere: it is made of the id by this server alone.
create table guest_codes (
  id text primary key,
  hold_id text not null unique references holds (id) on delete cascade,
  -- Digest of what is booked, and for whom: it is good for that and nothing else.
  about text not null,
  tries integer not null default 0,
  expires_at timestamptz not null
);
create index guest_codes_expires on guest_codes (expires_at);

create table bookings (
  id text primary key,
  -- Rises by one with every change.
  revision integer not null,
  -- Empty for those that the staff entered.
  principal text not null,
  profile text not null,
  service_id text not null,
  status text not null check (
    status = any ('{pending,requires_action,confirmed,in_progress,completed,no_show,canceled}')
  ),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  resource_ids text[] not null,
  session_id text references sessions,
  -- When it is given up unless it is confirmed before.
  expires_at timestamptz,
  hold_id text unique,
  -- What was agreed and what became of it.
  record json not null,
  -- What is known of people, apart from the rest so that it can be erased.
  people json not null,
  -- What it is found by, without accents as what is searched for: names, addresses, numbers, and the reference that people call
  -- it by on the phone or in a bank transfer. Empty once the people are erased.
  search_text text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- What was due before this was told, or needed no telling: a booking has one line of reminders, however many there are.
  reminded_until timestamptz not null,
  -- The account that it was made for. It names nobody, and stays when the account is erased: what was made for a buyer does
  -- not fall to the platform.
  buyer_account text,
  -- Made by a key that the profile does not publish although it publishes others: who owns the profile cannot read it, so what
  -- is told of it comes in a line of its own.
  told_apart boolean not null default false,
  -- Bookings that were made together, every so many weeks.
  series text
);

-- However a number begins, with the code of its country or without, these digits are the same. It stands in an index, and the
-- body of an SQL function there is parsed anew with each statement, which every booking would pay for.
create function phone_contact(number text) returns text language plpgsql immutable strict as $$
begin
  return nullif(right(regexp_replace(number, '\D', '', 'g'), 9), '');
end $$;

create index bookings_starts on bookings (starts_at, id);
create index bookings_of_principal on bookings (principal, created_at);
create index bookings_status on bookings (status, starts_at, id);
create index bookings_service on bookings (service_id, starts_at, id);
create index bookings_during on bookings using gist (tstzrange(starts_at, ends_at));
create index bookings_session on bookings (session_id) where session_id is not null;
create index bookings_resources on bookings using gin (resource_ids);
create index bookings_unresolved on bookings (expires_at) where expires_at is not null;
create index bookings_series on bookings (series, starts_at) where series is not null;
create index bookings_search on bookings using gin (search_text gin_trgm_ops);
-- Those whose people are still to be erased are found by their end.
create index bookings_with_people on bookings (ends_at) where search_text <> '';
-- What a buyer sees of their own, in the order of the page.
create index bookings_of_buyer on bookings (lower(people #>> '{buyer,email}'), starts_at, id) where search_text <> '';
create index bookings_of_phone on bookings (phone_contact(people #>> '{buyer,phone_number}')) where search_text <> '';
-- What was booked with an account is listed for whoever it lets act.
create index bookings_of_account on bookings (buyer_account, starts_at, id) where buyer_account is not null;

-- Bookings whose people have all of these words in their names, address or number, or such as differ by a letter: the closest
-- first, of those the latest. The first word is the one that the index is asked for. To make that
-- index has loaded pg_trgm: before that only a superuser may name a setting of it.
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

-- Bookings that a change of the definition left without what they were agreed with, until somebody has dealt with them.
-- It is told of a booking as it was then: one that was moved since is stranded no more, and is again when it is moved back.
create table stranded_bookings (
  booking_id text primary key references bookings,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  resource_ids text[] not null,
  location_id text,
  reasons text[] not null
);
create index stranded_bookings_starts on stranded_bookings (starts_at, booking_id);

-- Bookings that another system had, by what it called them: whoever imports the same once more changes nothing.
create table imported_bookings (
  source text not null,
  key text not null,
  -- Of what was said of when, what and with whom, so that another time under the same key is noticed.
  digest text not null,
  booking_id text not null references bookings,
  imported_at timestamptz not null,
  primary key (source, key)
);
