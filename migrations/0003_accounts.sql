-- All accounts of one address are salted alike, so that one reckoning tells which of them a password opens.
create table buyer_addresses (
  -- In lower case.
  email text primary key,
  -- scrypt, its parameters and the salt.
  salt text not null
);

-- Buyers who let platforms act for them. An account is whose mailbox it is: it may have a password, chosen by whoever opened a
-- link that was mailed there. One that was made with a password alone lasts until then: nobody verified its address, so that
-- is a name, and several may have the same; who makes one is not told whether there is another. No account has a name but
-- its address: anybody could give any.
create table buyer_accounts (
  id text primary key,
  email text not null references buyer_addresses on delete cascade,
  -- scrypt, with its parameters and its salt.
  password text,
  created_at timestamptz not null,
  -- When a link that was mailed to the address was opened first.
  verified_at timestamptz,
  check (password is not null or verified_at is not null)
);
create unique index buyer_accounts_login on buyer_accounts (email, password);
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

-- What access tokens are signed with.
create table oauth_keys (
  kid text primary key,
  public_jwk jsonb not null,
  -- AES-256-GCM under the server's secret key.
  private_jwk bytea not null,
  created_at timestamptz not null
);

-- What the authorization server has to remember, each for its time. What is remembered of a buyer goes with the account, and
-- what belongs to a grant goes with the grant.
create table oauth_state (
  model text not null,
  -- A digest: some are of tokens and cookies.
  id text not null,
  payload jsonb not null,
  expires_at timestamptz not null,
  account_id text references buyer_accounts on delete cascade,
  grant_id text,
  primary key (model, id)
);
create index oauth_state_expiry on oauth_state (expires_at);
create index oauth_state_account on oauth_state (account_id) where account_id is not null;
create index oauth_state_grant on oauth_state (grant_id) where grant_id is not null;

-- Access tokens that were revoked, until they would have expired anyway.
create table revoked_tokens (
  jti text primary key,
  expires_at timestamptz not null
);
create index revoked_tokens_expiry on revoked_tokens (expires_at);

-- Assistants of people: programs that nobody here let in. What they say of themselves, and no secret.
create table assistants (
  id text primary key,
  name text not null,
  redirect_uris text[] not null,
  -- From where it was made known, until somebody lets it act: so many may wait for that.
  network text,
  -- Until when a document that it published is not read again; missing where it registered.
  fresh_until timestamptz,
  -- For a day, and for longer than any link lasts once somebody lets it act.
  kept_until timestamptz not null
);
create index assistants_waiting on assistants (network) where network is not null;
create index assistants_newest_waiting on assistants (kept_until desc) where network is not null;
create index assistants_kept on assistants (kept_until);
