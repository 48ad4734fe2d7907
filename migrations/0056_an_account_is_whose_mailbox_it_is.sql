-- An account is whose mailbox it is: it may have a password, chosen by whoever opened a link that was mailed there. Those that were
-- made with a password alone last until then. None has a name any more but its address: anybody could give any.
alter table buyer_accounts
  drop constraint buyer_accounts_check,
  add check (password is not null or verified_at is not null),
  drop column name;

-- What happens from here on when an address is shown to be somebody's, for those that were before.
update bookings b set buyer_account = owner.id
from buyer_accounts unproved join buyer_accounts owner on owner.email = unproved.email and owner.verified_at is not null
where unproved.verified_at is null and b.buyer_account = unproved.id
  and lower(b.people #>> '{buyer,email}') = unproved.email;
update waitlist_entries e set principal = split_part(e.principal, '/', 1) || '/' || owner.id
from buyer_accounts unproved join buyer_accounts owner on owner.email = unproved.email and owner.verified_at is not null
where unproved.verified_at is null and e.principal like 'client:%/' || unproved.id
  and lower(e.buyer ->> 'email') = unproved.email;
delete from buyer_accounts unproved using buyer_accounts owner
where unproved.verified_at is null and owner.email = unproved.email and owner.verified_at is not null;
