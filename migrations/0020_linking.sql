-- Where a client has buyers sent back to. Without any it cannot ask a buyer for access.
alter table clients add column redirect_uris text[] not null default '{}';

-- Buyers who let platforms act for them.
create table buyer_accounts (
  id text primary key,
  -- In lower case.
  email text not null unique,
  name text not null,
  -- scrypt, with its parameters and its salt.
  password text not null,
  created_at timestamptz not null
);

-- What is remembered of a buyer goes with the account, and what belongs to a grant goes with the grant. Ids are digests
-- from here on: some of them are tokens and cookies.
alter table oauth_state
  add column account_id text references buyer_accounts on delete cascade,
  add column grant_id text;
create index oauth_state_account on oauth_state (account_id) where account_id is not null;
create index oauth_state_grant on oauth_state (grant_id) where grant_id is not null;

-- The account that a booking was made for. It names nobody, and stays when the account is erased: what was made for a
-- buyer does not fall to the platform.
alter table bookings add column buyer_account text;
