-- A trigger for each statement fires for one that changes no row, too: looking for a catalogue to read, which is an update that
-- mostly finds none, announced work to whoever looks for it, who looked again at once, for ever.
drop trigger registrations_due on registrations;
create trigger registrations_due
  after insert or update of profile_url, endpoint, location, status, next_index_at, notices on registrations
  for each row execute function announce_reading();
drop trigger subscriptions_unwanted on unwanted_subscriptions;
create trigger subscriptions_unwanted after insert on unwanted_subscriptions
  for each row execute function announce_reading();
