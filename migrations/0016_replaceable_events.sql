-- expand
-- A replaceable event only tells a current state, such as a position in the waitlist. A newer event about the same subject
-- replaces it until an attempt begins, and the receiver's other events are sent first.
alter table deliveries add column replaceable boolean not null default false;
create index deliveries_due_by_rank on deliveries (receiver, replaceable, next_at, id) where first;
