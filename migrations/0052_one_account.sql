-- Whoever opens a link that was mailed to an address has shown that it is theirs. The account they get has no password,
-- and one with a password never becomes it: nobody knows who chose that.
alter table buyer_accounts
  alter column password drop not null,
  add column verified_at timestamptz,
  add check ((password is null) = (verified_at is not null));
create unique index buyer_accounts_verified on buyer_accounts (email) where verified_at is not null;

-- Links that were mailed and not used yet. The mail has no secret either: it is made from an id when the mail is sent.
create table sign_in_links (
  -- Of the secret in the link.
  digest text primary key,
  -- In lower case.
  email text not null,
  -- The page of ours that asked for it; missing for the bookings.
  return_to text,
  expires_at timestamptz not null
);
create index sign_in_links_of_address on sign_in_links (email);
create index sign_in_links_over on sign_in_links (expires_at);

-- What a buyer sees of their own, in the order of the page. Erased bookings have no search text.
create index bookings_of_buyer on bookings (lower(people #>> '{buyer,email}'), starts_at, id) where search_text <> '';
create index waitlist_of_buyer on waitlist_entries (lower(buyer ->> 'email'), number);
