-- What nobody received waits in the inbox of the desk until it is sent again, or somebody says that it need not be.
alter table mails add column dismissed_at timestamptz;
alter table deliveries add column dismissed_at timestamptz;
-- What was given up before anybody could look there is not put before them now.
update mails set dismissed_at = ended_at where status = 'given_up';
update deliveries set dismissed_at = ended_at where status = 'given_up';
create index mails_given_up on mails (number)
  where status = 'given_up' and dismissed_at is null and snapshot is not null;
create index deliveries_given_up on deliveries (id) where status = 'given_up' and dismissed_at is null;

-- A payment that was entered wrong stays, and another takes it back: the same sums below zero, on the day of the correction.
alter table payments
  add column reverses text unique references payments,
  drop constraint payments_amount_check,
  drop constraint payments_tip_check,
  drop constraint payments_return_what_came,
  add constraint payments_sums check (
    case when reverses is null then amount >= 0 and tip >= 0 and amount + tip > 0
      else amount <= 0 and tip <= 0 and amount + tip < 0 end
  ),
  add constraint payments_return_what_came check (returned between 0 and greatest(amount, 0));
