-- Whoever is invited comes in by links and passkeys, and has no token until one is made.
create table staff (
  id text primary key,
  name text not null,
  role text not null check (role in ('owner', 'manager', 'staff', 'viewer')),
  -- SHA-256 of the token; the token itself is known to its holder alone.
  token_hash bytea unique,
  created_at timestamptz not null,
  -- In lower case: where links go.
  email text,
  invited_at timestamptz
);
create unique index staff_emails on staff (email);

-- Ways into the desk that were given out and not used yet: each opens it once, for one person.
create table staff_links (
  -- Of the secret, which is kept nowhere.
  digest bytea primary key,
  staff_id text not null references staff on delete cascade,
  expires_at timestamptz not null
);
create index staff_links_over on staff_links (expires_at);
create index staff_links_of_person on staff_links (staff_id);

-- Browsers in which somebody of the staff is signed in.
create table staff_sessions (
  -- Of the secret in the cookie.
  digest bytea primary key,
  -- For ending it from elsewhere.
  id text not null unique,
  staff_id text not null references staff on delete cascade,
  -- What the browser said of itself.
  device text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index staff_sessions_over on staff_sessions (expires_at);
create index staff_sessions_of_person on staff_sessions (staff_id, created_at);

-- Passkeys by which somebody of the staff signs in. The credential's id is the browser's; the other one is for ending it.
create table staff_passkeys (
  credential text primary key,
  id text not null unique,
  staff_id text not null references staff on delete cascade,
  public_key bytea not null,
  -- How often it was used, as the device says: one that falls behind was copied. Some always say 0.
  counter bigint not null,
  -- What the browser said of itself in which it was made.
  device text not null,
  created_at timestamptz not null,
  used_at timestamptz
);
create index staff_passkeys_of_person on staff_passkeys (staff_id, created_at);

-- Calendar addresses that were handed out; of the secret in them only the digest is kept.
create table calendar_feeds (
  id text primary key,
  -- Null: the whole business.
  resource_id text,
  token_hash bytea not null unique,
  -- Who made it: when they leave it ends. Null: whoever runs the server.
  staff_id text references staff on delete cascade,
  created_at timestamptz not null
);

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
