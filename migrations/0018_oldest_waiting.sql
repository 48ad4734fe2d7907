-- contract: 0016_replaceable_events.sql
-- An index over all waiting rows let PostgreSQL read the backlog of every other receiver where it looks for the last row of one
-- queue: while its statistics said that nothing waits, all indexes of waiting rows seemed to cost the same. The oldest waiting row is
-- the first of its queue, so these indexes do for it, and for nothing else.
drop index deliveries_waiting;
create index deliveries_oldest on deliveries (id) where first and status = 'waiting';
drop index mails_waiting;
create index mails_oldest on mails (created_at) where first and status = 'waiting';
