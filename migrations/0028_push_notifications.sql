-- expand
-- Push notifications to the browsers of the staff (Web Push).
-- The key pair that identifies this server to push services (VAPID). The table has at most one row. The private key is
-- encrypted.
create table push_key (
  only_row boolean primary key default true check (only_row),
  public_key text not null,
  private_jwk bytea not null,
  created_at timestamptz not null
);

-- The browsers that get push notifications. A subscription ends with the session of its browser.
create table push_subscriptions (
  id text primary key,
  session_id text not null unique references staff_sessions (id) on delete cascade,
  -- SHA-256 of the address of the browser at its push service. The address itself is part of `sealed`.
  endpoint_digest bytea not null unique,
  -- The address and the keys of the browser, encrypted.
  sealed bytea not null,
  locale text not null,
  -- Whether the notifications contain the customer and the service.
  shows_details boolean not null default false,
  created_at timestamptz not null,
  -- The failures since the last success. After a failure, the server sends nothing until `resting_until`.
  failures integer not null default 0,
  resting_until timestamptz
);

-- What the staff get push notifications about. The rows contain no personal data.
create table staff_news (
  id text primary key,
  kind text not null,
  -- Such as `booking bkg_…`.
  subject text not null,
  at timestamptz not null,
  -- When the server queued a message for each subscription.
  queued_at timestamptz
);
create index staff_news_at on staff_news (at);
create index staff_news_new on staff_news (at) where queued_at is null;

-- One message for each news item and subscription. The server deletes a message when it is sent or given up.
create table push_messages (
  id bigint generated always as identity primary key,
  subscription_id text not null references push_subscriptions on delete cascade,
  news_id text not null references staff_news on delete cascade,
  next_at timestamptz not null,
  leased_until timestamptz,
  -- How many times a process has started to send the message since the last finished attempt.
  begun integer not null default 0,
  unique (subscription_id, news_id)
);
create index push_messages_of_news on push_messages (news_id);
