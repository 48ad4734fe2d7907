-- How often it was begun to read the catalogue, and to look at the profile, since that last came to its end. Counted before
-- anything is asked: what ends the server that asks is not asked again at once, for ever.
alter table registrations add column readings_begun integer not null default 0;
alter table registrations add column checks_begun integer not null default 0;
