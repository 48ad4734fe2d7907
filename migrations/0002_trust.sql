create table signing_keys (
  kid text primary key,
  public_jwk jsonb not null,
  -- AES-256-GCM under the server's secret key.
  private_jwk bytea not null,
  created_at timestamptz not null,
  -- A key is published before it signs and stays published after it did.
  signs_from timestamptz not null,
  published_until timestamptz
);

-- Whose profile a principal named first. A later call of it that names another is refused.
create table principals (
  principal text primary key,
  profile text not null,
  first_seen timestamptz not null,
  -- Who was not here for long and left nothing behind is forgotten.
  last_seen timestamptz not null
);
create index principals_seen on principals (last_seen) where principal like 'key:%';

-- Whom a client certificate names, and the principal that this is: a holder keeps it with every certificate that follows.
create table certificate_holders (
  -- SHA-256 of the issuer and of what the issuer calls the holder, base64url.
  holder text primary key,
  principal text not null
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
-- What has ended is found by when it did.
create index scoped_credentials_ended on scoped_credentials (expires_at);

create table clients (
  id text primary key,
  name text not null,
  created_at timestamptz not null,
  -- Where a client has buyers sent back to. Without any it cannot ask a buyer for access.
  redirect_uris text[] not null default '{}'
);

create table api_keys (
  id text primary key,
  client_id text not null references clients on delete cascade,
  -- SHA-256 of the key.
  key_hash bytea not null unique,
  created_at timestamptz not null,
  -- Set when a newer key replaces it: until then both work.
  expires_at timestamptz,
  -- A client has two kinds of secret: the key it calls with, and the one it obtains access tokens with.
  kind text not null check (kind in ('api_key', 'client_secret'))
);
create index api_keys_client on api_keys (client_id);

-- First answers, for whoever retries. Written in the transaction that did the work.
create table replies (
  principal text not null,
  key text not null,
  -- SHA-256 over the operation and its canonical input.
  fingerprint bytea not null,
  -- Status, body and summary, sealed: they can hold a credential. Null once the people in it were forgotten.
  reply bytea,
  created_at timestamptz not null,
  -- What a kept answer tells of, so that it is found when the people in it are to be forgotten.
  subject text,
  -- All keys that one profile publishes are one caller, to whom an answer is given again. It is kept for the key that asked,
  -- so that a key which its profile withdraws finds its own; and no other key of the profile can have another.
  publisher text,
  primary key (principal, key)
);
create index replies_created on replies (created_at);
create index replies_subject on replies (subject) where subject is not null;
create unique index replies_publisher on replies (publisher, key) where publisher is not null;

-- Keeps an answer under its key, unless one is kept there already; one that is too old counts for nothing. A twin that is
-- still being worked on is waited for.
create function keep_reply(
  publishing text, caller text, named text, asked bytea, answer bytea, about text, at timestamptz, oldest timestamptz
) returns boolean language plpgsql as $$
begin
  for attempt in 1..2 loop
    insert into replies (publisher, principal, key, fingerprint, reply, subject, created_at)
    values (publishing, caller, named, asked, answer, about, at)
    on conflict do nothing;
    if found then return true; end if;
    delete from replies
    where key = named and (principal = caller or publisher = publishing) and created_at < oldest;
    if not found then return false; end if;
  end loop;
  return false;
end $$;
