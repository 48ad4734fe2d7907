-- Of what strangers do, and visitors of the pages, that somebody is mailed of: from which network, and to whom, as a digest; null
-- where that is limited elsewhere. A row counts for an hour and then goes.
create table mail_causes (
  network text not null,
  addressee text,
  made_at timestamptz not null
);
create index mail_causes_network on mail_causes (network, made_at);
create index mail_causes_addressee on mail_causes (addressee, made_at);

-- Nobody waits in these: who comes at the same moment is not seen, for a lock would be one over all doors, and what is taken
-- before or after it differs by door. So a few more than the most may come through; a flood does not.
create function few_mails_from(origin text, at timestamptz, most integer) returns boolean language plpgsql as $$
declare
  until timestamptz;
begin
  select made_at + interval '1 hour' into until from mail_causes
  where network = origin and made_at > at - interval '1 hour' order by made_at desc offset most - 1 limit 1;
  return not found or refuse('few_mails_from', json_build_object('until', until)::text);
end $$;

create function few_mails_to(whom text, at timestamptz, most integer) returns boolean language plpgsql as $$
declare
  until timestamptz;
begin
  select made_at + interval '1 hour' into until from mail_causes
  where addressee = whom and made_at > at - interval '1 hour' order by made_at desc offset most - 1 limit 1;
  return not found or refuse('few_mails_to', json_build_object('until', until)::text);
end $$;
