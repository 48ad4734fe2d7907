-- By which somebody whose assistant books for them without signing in shows that an address is theirs. The code itself is kept
-- nowhere: it is made of the id by this server alone.
create table guest_codes (
  id text primary key,
  hold_id text not null unique references holds (id) on delete cascade,
  -- Digest of what is booked, and for whom: it is good for that and nothing else.
  about text not null,
  tries integer not null default 0,
  expires_at timestamptz not null
);
create index guest_codes_expires on guest_codes (expires_at);
