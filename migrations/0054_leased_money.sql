-- Whatever a payment provider is asked for is leased like all other work, and no server waits with anything else for its answer.
-- What is done now and again calls nobody outside any more.
delete from housekeeping where job in ('return money', 'close checkouts', 'check registrations');

alter table refunds
  add column leased_until timestamptz,
  -- How often the provider was begun to be asked since it last answered or failed to.
  add column begun integer not null default 0;

-- The same of asking it to close one that nobody needs any more.
alter table checkouts
  add column leased_until timestamptz,
  add column begun integer not null default 0;

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
