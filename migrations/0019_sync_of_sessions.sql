-- expand
-- Class sessions are brought to a definition after it was applied, in short transactions. This is the version of the
-- definition that they were last brought to; while it is not the version in force, a server completes the work.
alter table business add column sessions_version integer not null default 0;

-- As take_seats, which servers of the version before call, and only for a class that the definition wants. A booking that has a
-- place in the class already can change its number of places. Whoever waits for the row sees whether it was closed meanwhile.
create function join_session(
  session text, kind text, holder text, wanted_spots integer, expiry timestamptz, at timestamptz
) returns integer language plpgsql as $$
begin
  perform from sessions s
  where s.id = session and (s.wanted or exists (select from bookings where id = holder and session_id = session))
  for update;
  if not found then return null; end if;
  return take_seats(session, kind, holder, wanted_spots, expiry, at);
end $$;
