-- What every hold and booking pays for is prepared anew with each statement: the body of an SQL function in an index is parsed
-- each time, and a list of allowed values is read and put together. These say the same and are ready as they are.
create or replace function phone_contact(number text) returns text language plpgsql immutable strict as $$
begin
  return nullif(right(regexp_replace(number, '\D', '', 'g'), 9), '');
end $$;

alter table claims drop constraint claims_holder_kind_check,
  add constraint claims_holder_kind_check check (holder_kind = any ('{hold,booking,offer,block,session}'));
alter table claim_journal drop constraint claim_journal_event_check,
  add constraint claim_journal_event_check check (event = any ('{taken,ended}'));
alter table holds drop constraint holds_status_check,
  add constraint holds_status_check check (status = any ('{active,released,converted}'));
alter table bookings drop constraint bookings_status_check, add constraint bookings_status_check check (
  status = any ('{pending,requires_action,confirmed,in_progress,completed,no_show,canceled}')
);
