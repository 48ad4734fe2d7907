-- An answer is kept for the caller that asked, and found by whoever acts as that caller: the keys that a profile publishes
-- are one. Whose key comes second while the first call is still worked on waits for it, as a twin under the same key does.
-- The function of before stays, also for servers that still run while this is migrated.
create function keep_reply(
  caller text, identities text[], profile text,
  named text, asked bytea, answer bytea, about text, at timestamptz, oldest timestamptz
) returns boolean language plpgsql as $$
begin
  if cardinality(identities) > 1 then
    perform pg_advisory_xact_lock(hashtextextended('reply ' || named || ' of ' || profile, 0));
    if exists (
      select from replies
      where principal = any (identities) and principal <> caller and key = named and created_at >= oldest
    ) then
      return false;
    end if;
  end if;
  return keep_reply(caller, named, asked, answer, about, at, oldest);
end $$;
