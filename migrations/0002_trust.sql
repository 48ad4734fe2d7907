-- Whose profile a principal named first. A later call of it that names another is refused.
create table principals (
  principal text primary key,
  profile text not null,
  first_seen timestamptz not null
);

-- Proofs that were used, until they are too old to be accepted again.
create table seen_proofs (
  -- SHA-256 over key thumbprint and jti.
  id bytea primary key,
  seen_until timestamptz not null
);
create index seen_proofs_until on seen_proofs (seen_until);

-- Authority over one hold, booking or waitlist entry each.
create table scoped_credentials (
  -- SHA-256 of the value; the value itself is known to its holder alone.
  value_hash bytea primary key,
  resource_kind text not null,
  resource_id text not null,
  principal text not null,
  profile text not null,
  -- Thumbprint of the key it is bound to, if any.
  jkt text,
  scope text[],
  expires_at timestamptz not null
);
create index scoped_credentials_resource on scoped_credentials (resource_kind, resource_id);

create table clients (
  id text primary key,
  name text not null,
  created_at timestamptz not null
);

create table api_keys (
  id text primary key,
  client_id text not null references clients on delete cascade,
  -- SHA-256 of the key.
  key_hash bytea not null unique,
  created_at timestamptz not null,
  -- Set when a newer key replaces it: until then both work.
  expires_at timestamptz
);
create index api_keys_client on api_keys (client_id);

-- Counts within the present minute. What a crash loses here is a minute's counting.
create unlogged table rate_limits (
  key text primary key,
  minute timestamptz not null,
  count integer not null
);
create index rate_limits_minute on rate_limits (minute);

-- First answers, for whoever retries. Written in the transaction that did the work.
create table replies (
  principal text not null,
  key text not null,
  -- SHA-256 over the operation and its canonical input.
  fingerprint bytea not null,
  -- Status, body and summary, sealed: they can hold a credential. Null only inside the transaction that works on it.
  reply bytea,
  created_at timestamptz not null,
  primary key (principal, key)
);
create index replies_created on replies (created_at);

create table feed_subscriptions (
  id text primary key,
  principal text not null,
  profile text not null,
  callback_url text not null,
  categories text[],
  events text[],
  status text not null check (status in ('active', 'paused', 'canceled')),
  -- The feed position up to which changes count as delivered; kept while paused.
  position_modified_at timestamptz not null,
  position_id text not null,
  created_at timestamptz not null
);
create index feed_subscriptions_owner on feed_subscriptions (principal);
