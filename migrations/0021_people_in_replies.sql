-- expand
-- What a kept answer names people of, where that is more than one thing. Those of one thing have it in `subject`, whose index is
-- cheaper to write.
alter table replies add column subjects text[];
create index replies_subjects on replies using gin (subjects) where subjects is not null;

-- As before, with these. Servers of before call the other one.
create function keep_reply(
  publishing text, caller text, named text, asked bytea, answer bytea, about text, about_all text[], at timestamptz, oldest timestamptz
) returns boolean language plpgsql as $$
begin
  for attempt in 1..2 loop
    insert into replies (publisher, principal, key, fingerprint, reply, subject, subjects, created_at)
    values (publishing, caller, named, asked, answer, about, about_all, at)
    on conflict do nothing;
    if found then return true; end if;
    delete from replies
    where key = named and (principal = caller or publisher = publishing) and created_at < oldest;
    if not found then return false; end if;
  end loop;
  return false;
end $$;
