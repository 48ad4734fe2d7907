-- A canceled subscription can be asked for what it is for a while, and is then forgotten. Nobody could pile them up otherwise
-- but by subscribing and canceling.
alter table feed_subscriptions add column canceled_at timestamptz;
update feed_subscriptions set canceled_at = now() where status = 'canceled';
alter table feed_subscriptions add check ((status = 'canceled') = (canceled_at is not null));
create index feed_subscriptions_canceled on feed_subscriptions (canceled_at) where canceled_at is not null;

-- When something went wrong there last.
delete from receivers where failures = 0 and gone_at is null;
alter table receivers add column noted_at timestamptz not null default now();
alter table receivers alter column noted_at drop default;
create index receivers_noted on receivers (noted_at);
