-- expand
-- The waitlist entry whose offered slot is held, where its own caller holds it. Such a hold claims nothing: the offer keeps the
-- claim until it ends, and the hold is for accepting the offer.
alter table holds add column offer text;
create index holds_of_offers on holds (offer) where offer is not null and status = 'active';

-- The oldest live offer of the slot to one of these callers, for which they have no hold yet.
create function own_offer(callers text[], of_profile text, service text, slot text, at timestamptz)
returns table (id text, expires_at timestamptz) language sql stable as $$
  select e.id, e.offer_expires_at from waitlist_entries e
  where e.service_id = service and e.status = 'offered' and e.offered_slot_id = slot and e.offer_expires_at > at
    and e.principal = any (callers) and e.profile = of_profile
    and not exists (select from holds h where h.offer = e.id and h.status = 'active' and h.expires_at > at)
  order by e.queue limit 1
$$;

-- When a key last called while its profile published it. The other keys of the profile act for it, also after the profile has
-- replaced it.
alter table principals add column published_at timestamptz;
create index principals_published on principals (profile, published_at) where published_at is not null;
