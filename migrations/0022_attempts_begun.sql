-- How often it was begun to be sent since an attempt last came to its end. Counted before it is sent: what ends the server
-- that sends it is not begun for ever.
alter table deliveries add column begun integer not null default 0;
