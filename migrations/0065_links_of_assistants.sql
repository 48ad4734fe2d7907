-- On which day of its service a hold counts whose link nobody has opened: an assistant made it for somebody, or for nobody at
-- all. Null once it was opened, and for all other holds.
alter table holds add column unopened_on text;
create index holds_unopened on holds (service_id, unopened_on, created_at) where unopened_on is not null;
-- What became of a link is found by whose it is.
create index holds_of_assistants on holds (principal, created_at) where starts_with(principal, 'assistant:');

-- Whether so many more places of this day may be held by a link that nobody has opened. Whatever was held so within the hour
-- counts, also when it has lapsed or was given back: who holds the same again and again would have it for ever. Others wait, so
-- that two cannot both be the last.
create function few_unopened(
  service text, day text, at timestamptz, wanted integer, most integer, is_class boolean
) returns boolean language plpgsql as $$
declare
  held integer;
  since timestamptz;
begin
  perform pg_advisory_xact_lock(hashtextextended('unopened ' || service || ' ' || day, 0));
  select coalesce(sum(case when is_class then spots else 1 end), 0), min(created_at) into held, since
  from holds where service_id = service and unopened_on = day and created_at > at - interval '1 hour';
  return held + wanted <= most or refuse('few_unopened', json_build_object('until', since + interval '1 hour')::text);
end $$;

-- What was booked with an account is listed for whoever it lets act.
create index bookings_of_account on bookings (buyer_account, starts_at, id) where buyer_account is not null;
