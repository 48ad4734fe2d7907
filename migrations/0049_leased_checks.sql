-- A look at a profile is leased like all other work, and due again as soon as the process that took it is gone.
alter table registrations add column check_leased_until timestamptz;
