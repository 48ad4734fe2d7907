-- What platforms and the staff were to give back before payments were rows has no refund of its own yet.
insert into refunds (id, payment_id, amount, reason, status, next_at, created_at)
select 'rfd_' || md5(p.id), p.id, p.returned - given.amount, 'before payments were rows', 'elsewhere', p.received_at, p.received_at
from payments p, lateral (select coalesce(sum(amount), 0) as amount from refunds where payment_id = p.id) given
where p.returned > given.amount;
