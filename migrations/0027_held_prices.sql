-- What the price of a slot was reckoned from when it was taken; null for holds that were taken before.
alter table holds add column price json;
