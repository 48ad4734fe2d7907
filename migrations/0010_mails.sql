-- What people are told of a change, written in the transaction that made it so. A row goes one way: by mail, or as data to
-- the business's own webhook.
create table mails (
  id text primary key,
  number bigint generated always as identity unique,
  channel text not null check (channel in ('mail', 'webhook')),
  -- Such as `booking.confirmed`.
  kind text not null,
  -- Such as `booking bkg_…`: what is told of one to one recipient is told in its order.
  subject text not null,
  audience text not null check (audience in ('buyer', 'staff')),
  -- Address; empty where a webhook is told what is for the staff, and once who it was is forgotten.
  recipient text not null,
  phone text,
  locale text not null,
  -- What it was about, as it stood right after: the letter is made of it. Missing once who it names is forgotten.
  snapshot json,
  status text not null check (status in ('waiting', 'sent', 'given_up', 'dropped')),
  attempts integer not null default 0,
  -- How often it was begun to be sent since an attempt last came to its end.
  begun integer not null default 0,
  -- The first of its line, which alone is sent.
  first boolean not null default false,
  -- Not before this.
  next_at timestamptz not null,
  -- Somebody is sending it until then, if the process lives.
  leased_until timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz,
  -- Why the last attempt failed.
  problem text,
  -- What nobody received waits in the inbox of the desk until it is sent again, or somebody says that it need not be.
  dismissed_at timestamptz
);
create index mails_line on mails (subject, recipient, channel, number) where status = 'waiting';
create index mails_due on mails (next_at, number) where first;
create index mails_subject on mails (subject);
create index mails_created on mails (created_at);
create index mails_given_up on mails (number)
  where status = 'given_up' and dismissed_at is null and snapshot is not null;
-- How old the oldest is that waits is asked again and again by whoever watches.
create index mails_waiting on mails (created_at) where status = 'waiting';

-- Whoever stands ahead is held until the newcomer is there to be seen: it cannot end meanwhile and leave nobody first.
create function line_up_mail() returns trigger language plpgsql as $$
begin
  perform from mails where subject = new.subject and recipient = new.recipient and channel = new.channel and status = 'waiting'
    order by number desc limit 1 for share;
  new.first := new.status = 'waiting' and not found;
  return new;
end $$;
create trigger mails_line_up before insert on mails for each row execute function line_up_mail();

-- Who leaves the line, or comes back to it, is not first any more.
create function leave_mail_line() returns trigger language plpgsql as $$
begin
  new.first := false;
  return new;
end $$;
create trigger mails_leave before update of status on mails for each row
  when (old.status <> new.status) execute function leave_mail_line();

-- Then the oldest that waits is. Whoever is forgotten leaves the line under the name it had.
create function move_up_mail_line() returns trigger language plpgsql as $$
declare
  oldest bigint;
begin
  select number into oldest from mails
    where subject = old.subject and recipient = old.recipient and channel = old.channel and status = 'waiting'
    order by number limit 1;
  update mails set first = false
    where subject = old.subject and recipient = old.recipient and channel = old.channel and status = 'waiting'
      and first and number <> oldest;
  update mails set first = true where number = oldest and not first;
  return null;
end $$;
create trigger mails_move_up after update of status on mails for each row
  when (old.status <> new.status) execute function move_up_mail_line();

-- Whoever sends hears of it when the transaction commits.
create function announce_mail() returns trigger language plpgsql as $$
begin
  perform pg_notify('mails', '');
  return null;
end $$;
create trigger mails_announced after insert on mails for each row execute function announce_mail();
