-- The step that made it happen, as W3C Trace Context names it, where steps were traced: whoever is told of it goes on from there.
alter table events add column traceparent text;

-- How old the oldest is of what waits to be sent is asked again and again by whoever watches.
create index deliveries_waiting on deliveries (id) where status = 'waiting';
create index mails_waiting on mails (created_at) where status = 'waiting';
