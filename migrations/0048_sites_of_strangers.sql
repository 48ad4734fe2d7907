-- Names below a domain cost its owner as little as paths at a host: it is domains that are counted. What is one changes with
-- the years, so it is written down when a business is listed. Until then those that are listed count by host as before.
alter table registrations add column stranger_site text;
update registrations set stranger_site = substring(host from '^[^:]*') where by_stranger;
drop index registrations_of_strangers;
alter table registrations drop column host, drop column by_stranger;
create index registrations_of_strangers on registrations (stranger_site) where stranger_site is not null;
