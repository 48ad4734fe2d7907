-- All keys that one profile publishes are one caller, to whom an answer is given again. It is kept for the key that asked,
-- as before, so that a key which its profile withdraws finds its own; and no other key of the profile can have another.
alter table replies add column publisher text;
create unique index replies_publisher on replies (publisher, key) where publisher is not null;

-- Keeps an answer under its key, unless one is kept there already; one that is too old counts for nothing. A twin that is
-- still being worked on is waited for. The function of before stays for servers that run while this is migrated.
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
