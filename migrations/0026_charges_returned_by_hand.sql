-- expand
-- The payment provider may refuse to return a charge that led to no booking. The staff then return the money and mark the charge. A
-- later notice of the provider about its refusal must not open such a charge again.
alter table ucp_charges add column returned_by_hand boolean not null default false;
-- The desk counts these charges on each page.
create index ucp_charges_unreturned on ucp_charges (created_at, id) where status = 'unreturned';
