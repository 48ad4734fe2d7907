-- A client has two kinds of secret: the key it calls with, and the one it obtains access tokens with.
alter table api_keys add column kind text not null default 'api_key' check (kind in ('api_key', 'client_secret'));
alter table api_keys alter column kind drop default;

-- What access tokens are signed with.
create table oauth_keys (
  kid text primary key,
  public_jwk jsonb not null,
  -- AES-256-GCM under the server's secret key.
  private_jwk bytea not null,
  created_at timestamptz not null
);

-- What the authorization server has to remember, each for its time.
create table oauth_state (
  model text not null,
  id text not null,
  payload jsonb not null,
  expires_at timestamptz not null,
  primary key (model, id)
);
create index oauth_state_expiry on oauth_state (expires_at);

-- Access tokens that were revoked, until they would have expired anyway.
create table revoked_tokens (
  jti text primary key,
  expires_at timestamptz not null
);
create index revoked_tokens_expiry on revoked_tokens (expires_at);
