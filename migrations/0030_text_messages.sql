-- contract: 0010_mails.sql
-- Text messages to phones are a third channel of the table mails. No server relies on the narrower check.
alter table mails drop constraint mails_channel_check;
alter table mails add constraint mails_channel_check check (channel in ('mail', 'webhook', 'text')) not valid;
-- How many segments a sent text message has. Providers charge for each segment.
alter table mails add column segments smallint;
-- How often the staff sent the message again. A provider that knows a message by its id would otherwise ignore it.
alter table mails add column resent smallint not null default 0;
-- Counts the messages to a number, and finds the message that an answer belongs to.
create index mails_texts on mails (phone, number) where channel = 'text';
-- The provider of text messages that an owner entered at the desk. The table has at most one row. The secret is encrypted.
-- Each change inserts a new row with a new revision, so that every process notices the change.
create table text_provider (
  only_row boolean primary key default true check (only_row),
  revision bigint generated always as identity,
  adapter text not null,
  url text not null,
  account text not null,
  sender text not null,
  secret bytea not null,
  -- Codes of two letters.
  countries text[] not null,
  topics text[] not null,
  -- Local times of the business such as 21:00; both or neither.
  quiet_from text,
  quiet_until text,
  daily_limit integer not null,
  -- Of one segment, in the currency of the business.
  price numeric
);
-- Phone numbers that must get no text messages, as digests. They stay when the people are erased.
create table stopped_numbers (
  digest text primary key,
  stopped_at timestamptz not null
);
