-- expand
-- What a kept answer names people of, where that is more than one thing. `subject` has the first of them, or the only one.
alter table replies add column subjects text[];
create index replies_subjects on replies using gin (subjects) where subjects is not null;

-- As the function of this name without `about_all`, which servers of the version before call.
create function keep_reply(
  publishing text, caller text, named text, asked bytea, answer bytea, about text, about_all text[], at timestamptz, oldest timestamptz
) returns boolean language plpgsql as $$
begin
  if not keep_reply(publishing, caller, named, asked, answer, about, at, oldest) then return false; end if;
  if about_all is not null then
    update replies set subjects = about_all where principal = caller and key = named;
  end if;
  return true;
end $$;
