-- expand
-- The pictures that the staff uploaded, after the server has encoded them again. The digest of `content` is the key, and part of
-- the address of the picture. `small` is the same picture in a smaller width. `unused_since` is the time at which the server
-- first found that the business definition no longer names the picture.
create table pictures (
  digest bytea primary key check (octet_length(digest) = 32),
  type text not null check (type in ('image/jpeg', 'image/png')),
  width integer not null,
  height integer not null,
  content bytea not null check (octet_length(content) <= 1048576),
  small bytea check (octet_length(small) <= 1048576),
  created_at timestamptz not null,
  unused_since timestamptz
);
-- The formats of pictures are already compressed.
alter table pictures alter column content set storage external, alter column small set storage external;
