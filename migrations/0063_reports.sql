-- Reports look at what came in, what went back and who joined the line between two instants.
create index if not exists payments_received on payments (received_at);
create index if not exists refunds_decided on refunds (created_at);
create index waitlist_joined on waitlist_entries (created_at);
