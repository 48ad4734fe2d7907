-- Whoever is invited comes in by links and passkeys, and has no token until one is made. The address, in lower case, is where links go.
alter table staff
  alter column token_hash drop not null,
  add column email text,
  add column invited_at timestamptz;
create unique index staff_emails on staff (email);

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
