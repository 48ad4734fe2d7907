-- A page of a payment provider on which what is due for a booking can be paid. It is written down before the provider
-- is asked for it, so that asking once more leads to the same one.
create table checkouts (
  id text primary key,
  booking_id text not null references bookings,
  provider text not null,
  -- The provider's id of it, as soon as it has answered.
  reference text,
  amount bigint not null check (amount > 0),
  currency text not null,
  status text not null check (status in ('open', 'paid', 'closed')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Whoever closes those that nobody needs any more leaves it alone until then.
  next_at timestamptz not null,
  -- Somebody asks the provider to close it until then, if the process lives: no server waits with anything else for its answer.
  leased_until timestamptz,
  -- How often the provider was begun to be asked for that since it last answered or failed to.
  begun integer not null default 0
);
create index checkouts_booking on checkouts (booking_id);
create index checkouts_open on checkouts (next_at) where status = 'open';

-- Money that came in for bookings, each payment a row of its own, and how much of it is to go back. The booking repeats
-- what it is reckoned from; here stands who said so and what it was for.
create table payments (
  id text primary key,
  number bigint generated always as identity,
  booking_id text not null references bookings,
  amount bigint not null,
  currency text not null,
  purpose text not null check (purpose in ('price', 'deposit', 'difference', 'no_show_fee', 'nothing_due', 'tip')),
  -- Who said that it came in: the provider that took it, a platform that collects, or the staff.
  source text not null check (source in ('provider', 'platform', 'staff')),
  reported_by text not null,
  provider text,
  -- The provider's id of it, or the number of a receipt.
  reference text,
  order_reference text,
  returned bigint not null default 0,
  received_at timestamptz not null,
  -- How somebody paid at the counter.
  kind text check (kind in ('cash', 'card', 'transfer', 'voucher')),
  -- What they gave besides. A tip is no part of what the booking costs: it pays nothing that is due, and nobody but the staff
  -- is told of it.
  tip bigint not null default 0,
  -- A payment that was entered wrong stays, and another takes it back: the same sums below zero, on the day of the correction.
  reverses text unique references payments,
  constraint payments_sums check (
    case when reverses is null then amount >= 0 and tip >= 0 and amount + tip > 0
      else amount <= 0 and tip <= 0 and amount + tip < 0 end
  ),
  constraint payments_return_what_came check (returned between 0 and greatest(amount, 0))
);
create index payments_booking on payments (booking_id);
-- What a provider tells of is told more than once; what others tell may bear any name.
create unique index payments_told on payments (provider, reference) where source = 'provider';
-- What came in is asked for by days, and by reports between two instants.
create index payments_received on payments (received_at);

-- Money on its way back. The provider is asked until it agrees, always under the same id, so that it goes back once.
create table refunds (
  id text primary key,
  amount bigint not null check (amount > 0),
  reason text not null,
  -- What somebody else took, that one gives back: nobody is asked.
  status text not null check (status in ('waiting', 'given', 'refused', 'elsewhere')),
  attempts integer not null default 0,
  next_at timestamptz not null,
  -- The provider's id of it, or why it refuses.
  answer text,
  created_at timestamptz not null,
  payment_id text not null references payments,
  -- Somebody asks the provider until then, if the process lives.
  leased_until timestamptz,
  -- How often the provider was begun to be asked since it last answered or failed to.
  begun integer not null default 0
);
create index refunds_waiting on refunds (next_at) where status = 'waiting';
create index refunds_payment on refunds (payment_id);
-- What went back is asked for as what came in is.
create index refunds_decided on refunds (created_at);

-- Whoever gives back hears of it when the transaction commits.
create function announce_refund() returns trigger language plpgsql as $$
begin
  perform pg_notify('refunds', '');
  return null;
end $$;
create trigger refunds_announced after insert on refunds for each row
  when (new.status = 'waiting') execute function announce_refund();
create trigger refunds_announced_late after update of status on refunds for each row
  when (new.status = 'waiting' and old.status <> 'waiting') execute function announce_refund();
