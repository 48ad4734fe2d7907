-- Money that came in for bookings, each payment a row of its own, and how much of it is to go back. The booking repeats
-- what it is reckoned from; here stands who said so and what it was for.
create table payments (
  id text primary key,
  number bigint generated always as identity,
  booking_id text not null references bookings,
  amount bigint not null check (amount > 0),
  currency text not null,
  purpose text not null check (purpose in ('price', 'deposit', 'difference', 'no_show_fee', 'nothing_due')),
  -- Who said that it came in: the provider that took it, a platform that collects, or the staff.
  source text not null check (source in ('provider', 'platform', 'staff')),
  reported_by text not null,
  provider text,
  -- The provider's id of it, or the number of a receipt.
  reference text,
  order_reference text,
  returned bigint not null default 0,
  received_at timestamptz not null,
  constraint payments_return_what_came check (returned between 0 and amount)
);
create index payments_booking on payments (booking_id);
-- What a provider tells of is told more than once; what others tell may bear any name.
create unique index payments_told on payments (provider, reference) where source = 'provider';

insert into payments (id, booking_id, amount, currency, purpose, source, reported_by, provider, reference, returned, received_at)
select 'pay_' || md5(r.reference), r.booking_id, r.amount, r.currency,
  case when exists (select from refunds f where f.receipt = r.reference and f.reason = 'not due') then 'nothing_due'
    else 'price' end,
  'provider', 'provider:' || r.provider, r.provider, r.reference, r.returned, r.received_at
from receipts r order by r.received_at;

-- What platforms and the staff told of left no row until now: it is what else a booking counts.
with booked as (
  select b.id, b.created_at, b.record::jsonb -> 'payment' as payment,
    coalesce((select sum(amount) from payments p where p.booking_id = b.id and p.purpose <> 'nothing_due'), 0) as amount,
    coalesce((select sum(returned) from payments p where p.booking_id = b.id and p.purpose <> 'nothing_due'), 0) as returned
  from bookings b where b.record::jsonb -> 'payment' ->> 'collected' <> '0'
), rest as (
  select id, created_at, payment, (payment ->> 'collected')::bigint - amount as amount,
    (payment ->> 'refunded')::bigint - returned as returned
  from booked
), report as (
  select distinct on (subject) subject, actor, at from changes
  where action in ('complete_payment', 'mark_paid') order by subject, number
)
insert into payments (id, booking_id, amount, currency, purpose, source, reported_by, provider, reference, order_reference, returned, received_at)
select 'pay_' || md5('booking ' || rest.id), rest.id, rest.amount, payment ->> 'currency',
  case payment ->> 'timing' when 'deposit_required' then 'deposit' else 'price' end,
  case when report.actor like 'staff:%' then 'staff' else 'platform' end, coalesce(report.actor, 'system'),
  payment ->> 'provider', payment ->> 'transaction_id', payment ->> 'order_reference',
  least(greatest(rest.returned, 0), rest.amount), coalesce(report.at, rest.created_at)
from rest left join report on report.subject = 'booking ' || rest.id
where rest.amount > 0;

alter table refunds add column payment_id text references payments;
update refunds f set payment_id = p.id from payments p where p.source = 'provider' and p.reference = f.receipt;
alter table refunds alter column payment_id set not null;
drop index refunds_receipt;
alter table refunds drop column receipt;
create index refunds_payment on refunds (payment_id);
-- What somebody else took, that one gives back: nobody is asked.
alter table refunds drop constraint refunds_status_check;
alter table refunds add constraint refunds_status_check check (status in ('waiting', 'given', 'refused', 'elsewhere'));
drop table receipts;

-- A booking names its payments instead of sums.
create function naming_payments(record jsonb, received jsonb) returns jsonb language sql as $$
  select jsonb_set(record, '{payment}', (record -> 'payment')
      - '{collected,refunded,transaction_id,order_reference,provider}'::text[]
    || jsonb_build_object('received', received)
    || case when (record #>> '{payment,refunded}')::bigint > 0 then jsonb_build_object('last_refund',
        coalesce(nullif((record #>> '{cancellation,refund_amount}')::bigint, 0), (record #>> '{payment,refunded}')::bigint))
      else '{}' end)
$$;

update bookings b set record = naming_payments(b.record::jsonb, coalesce((
  select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', p.id, 'amount', p.amount, 'returned', p.returned,
      'received_at', to_char(p.received_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'provider', p.provider,
      'transaction_id', p.reference, 'order_reference', p.order_reference)) order by p.received_at, p.id)
  from payments p where p.booking_id = b.id and p.purpose <> 'nothing_due'), '[]'))
where b.record::jsonb -> 'payment' is not null;

-- So do those that are still to be told of, with the sums of their moment.
update events e set snapshot = jsonb_set(snapshot::jsonb, '{record}', naming_payments(snapshot::jsonb -> 'record',
  case when (snapshot::jsonb #>> '{record,payment,collected}')::bigint > 0 then jsonb_build_array(jsonb_strip_nulls(
    jsonb_build_object('id', e.id, 'amount', snapshot::jsonb #> '{record,payment,collected}',
      'returned', snapshot::jsonb #> '{record,payment,refunded}', 'received_at', snapshot::jsonb -> 'updated_at',
      'provider', snapshot::jsonb #> '{record,payment,provider}',
      'transaction_id', snapshot::jsonb #> '{record,payment,transaction_id}',
      'order_reference', snapshot::jsonb #> '{record,payment,order_reference}')))
  else '[]' end))
where e.body is null and snapshot::jsonb #> '{record,payment,collected}' is not null;

drop function naming_payments;
