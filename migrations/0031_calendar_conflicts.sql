-- expand
-- Bookings, holds and waitlist offers whose claimed time overlaps a busy time of another calendar that arrived later. They all keep
-- their time. For each booking, the staff decide what to do. The row of a claim that no longer exists has no meaning, and is deleted
-- together with the busy time.
create table calendar_conflicts (
  source_id text not null,
  event bytea not null,
  -- The claim keeps its id when a hold becomes a booking.
  claim_id bigint not null,
  during tstzrange not null,
  -- The booking that the staff keep at this time, although it overlaps the busy time.
  kept_booking text,
  primary key (source_id, event, claim_id),
  foreign key (source_id, event) references busy_times on delete cascade
);
create index calendar_conflicts_of_claim on calendar_conflicts (claim_id);

insert into calendar_conflicts (source_id, event, claim_id, during)
select t.source_id, t.event, c.id, c.during
from busy_times t join claims c on c.resource_id = t.resource_id and c.during && t.during
where c.holder_kind in ('hold', 'booking', 'offer');

-- Like write_busy_times, which servers of the version before call. Also stores which claims the busy times of the source overlap.
-- The resource is locked after a change, so that nobody else claims its time.
create function write_conflicting_times(source text, events bytea[], spans tstzrange[]) returns boolean language plpgsql as $$
declare
  changed boolean := write_busy_times(source, events, spans);
begin
  if changed then
    insert into calendar_conflicts (source_id, event, claim_id, during)
    select t.source_id, t.event, c.id, c.during
    from busy_times t join claims c on c.resource_id = t.resource_id and c.during && t.during
    where t.source_id = source and c.holder_kind in ('hold', 'booking', 'offer')
    on conflict do nothing;
  end if;
  return changed;
end $$;

-- Like claim_free_time, which servers of the version before call. Also stores which busy times the new claim of a booking overlaps. If
-- the booking keeps its time, for example because only its room changes, the decision of the staff stays.
create function claim_conflicting_time(
  resources text[], span tstzrange, kind text, holder text, expiry timestamptz, at timestamptz
) returns boolean language plpgsql as $$
begin
  if not claim_free_time(resources, span, kind, holder, expiry, at) then return false; end if;
  if kind = 'booking' and (select exists (select from busy_times)) then
    insert into calendar_conflicts (source_id, event, claim_id, during, kept_booking)
    select t.source_id, t.event, c.id, c.during, (
      select former.kept_booking from calendar_conflicts former
      where (former.source_id, former.event, former.kept_booking, former.during) = (t.source_id, t.event, holder, c.during)
      limit 1)
    from claims c join busy_times t on t.resource_id = c.resource_id and t.during && c.during
    where c.holder_kind = kind and c.holder_id = holder
    on conflict do nothing;
  end if;
  return true;
end $$;
