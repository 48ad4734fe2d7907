-- expand
-- The step that made it happen, as events have it: the webhook of the business goes on from there.
alter table mails add column traceparent text;
