-- expand
-- A checkout of the Universal Commerce Protocol, in which an assistant books and pays for a buyer. It reserves the ids of its
-- booking and its order. The booking exists from the completion on.
create table ucp_checkouts (
  id text primary key,
  booking_id text not null unique,
  order_id text not null unique,
  principal text not null,
  profile text not null,
  -- Events about it go to a separate receiver, as for a booking.
  told_apart boolean not null,
  status text not null check (status in ('open', 'completing', 'escalated', 'completed', 'canceled')),
  service_id text not null,
  hold_id text,
  -- The checkout placed the hold itself, and replaces it when the platform changes the slot.
  owns_hold boolean not null,
  -- What the platform sent about the purchase, without people.
  request json not null,
  -- The people that the platform named. Empty from the completion on: the booking has them then.
  people json,
  -- Slot, price and terms, as the checkout last showed them.
  agreed json not null,
  -- What the platform must still correct or supply.
  faults json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The end of its hold.
  expires_at timestamptz not null,
  completed_at timestamptz,
  -- The language of the buyer, for the notifications of the booking.
  locale text,
  -- A hold becomes one booking, so one checkout at a time may use it.
  constraint ucp_checkouts_hold exclude using btree (hold_id with =)
    where (status in ('open', 'completing', 'escalated')),
  constraint ucp_checkouts_completed check ((status = 'completed') = (completed_at is not null))
);
create index ucp_checkouts_unfinished on ucp_checkouts (expires_at) where status in ('open', 'canceled');

-- Money that is to be taken with a payment token of an assistant. The row is written before the provider is asked, and the
-- provider's id before it may take the money. So a server that finds the row after a crash learns what became of it.
create table ucp_charges (
  id text primary key,
  checkout_id text not null references ucp_checkouts,
  -- Correlates checkout, charge, payment and booking.
  order_id text not null,
  booking_id text not null,
  provider text not null,
  -- The provider's id of the charge. Without it no money was taken.
  reference text,
  amount bigint not null check (amount > 0),
  currency text not null,
  status text not null check (
    status in ('intended', 'requires_action', 'booked', 'failed', 'reversing', 'reversed', 'unreturned')
  ),
  -- Who completed the checkout, with which request. A retry of this request makes no second charge.
  actor text not null,
  request_key text,
  request_digest bytea not null,
  -- Why no booking came of it, as a message of the checkout.
  problem json,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  next_at timestamptz not null,
  leased_until timestamptz,
  begun integer not null default 0,
  -- One charge at a time takes money for a checkout. A charge whose money goes back does not count: a late success can
  -- always be returned.
  constraint ucp_charges_live exclude using btree (checkout_id with =)
    where (status in ('intended', 'requires_action', 'booked')),
  constraint ucp_charges_reference unique (provider, reference)
);
create index ucp_charges_of_checkout on ucp_charges (checkout_id, created_at);
create index ucp_charges_unsettled on ucp_charges (next_at) where status in ('intended', 'requires_action', 'reversing');
