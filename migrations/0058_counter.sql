-- How somebody paid at the counter, and what they gave besides. A tip is no part of what the booking costs: it pays nothing
-- that is due, and nobody but the staff is told of it.
alter table payments
  add column kind text check (kind in ('cash', 'card', 'transfer', 'voucher')),
  add column tip bigint not null default 0 check (tip >= 0);

alter table payments drop constraint payments_amount_check;
alter table payments add constraint payments_amount_check check (amount >= 0 and amount + tip > 0);
alter table payments drop constraint payments_purpose_check;
alter table payments add constraint payments_purpose_check
  check (purpose in ('price', 'deposit', 'difference', 'no_show_fee', 'nothing_due', 'tip'));

-- What was taken, and what went back, on some days.
create index payments_received on payments (received_at);
create index refunds_decided on refunds (created_at);
