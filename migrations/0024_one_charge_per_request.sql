-- contract: 0023_ucp_checkouts.sql
-- An idempotency key pays one checkout. Stored replies cannot ensure this, because a charge is settled before its reply is stored.
-- Where a key has several charges, the latest charge keeps the key.
update ucp_charges c set request_key = null
where exists (
  select from ucp_charges later
  where later.actor = c.actor and later.request_key = c.request_key and (later.created_at, later.id) > (c.created_at, c.id));
alter table ucp_charges add constraint ucp_charges_request unique (actor, request_key);
