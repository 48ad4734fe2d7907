-- Assistants of people: programs that nobody here let in. What they say of themselves, and no secret.
create table assistants (
  id text primary key,
  name text not null,
  redirect_uris text[] not null,
  -- From where it was made known, until somebody lets it act: so many may wait for that.
  network text,
  -- Until when a document that it published is not read again; missing where it registered.
  fresh_until timestamptz,
  -- For a day, and for longer than any link lasts once somebody lets it act.
  kept_until timestamptz not null
);
create index assistants_waiting on assistants (network) where network is not null;
create index assistants_newest_waiting on assistants (kept_until desc) where network is not null;
create index assistants_kept on assistants (kept_until);
