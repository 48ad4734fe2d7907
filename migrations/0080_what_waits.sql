-- How old the oldest is of what waits to be sent is asked again and again by whoever watches.
create index deliveries_waiting on deliveries (id) where status = 'waiting';
create index mails_waiting on mails (created_at) where status = 'waiting';
