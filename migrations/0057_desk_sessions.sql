-- Ways into the desk that were given out and not used yet: each opens it once, for one person. Of the secret only the digest is kept.
create table staff_links (
  digest bytea primary key,
  staff_id text not null references staff on delete cascade,
  expires_at timestamptz not null
);
create index staff_links_over on staff_links (expires_at);
create index staff_links_of_person on staff_links (staff_id);

-- Browsers in which somebody of the staff is signed in. The digest is of the secret in the cookie; the id is for ending it from elsewhere.
create table staff_sessions (
  digest bytea primary key,
  id text not null unique,
  staff_id text not null references staff on delete cascade,
  -- What the browser said of itself.
  device text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index staff_sessions_over on staff_sessions (expires_at);
create index staff_sessions_of_person on staff_sessions (staff_id, created_at);
