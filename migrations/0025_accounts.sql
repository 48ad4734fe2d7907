-- Nobody verified the address of an account, so it is a name, and several may have the same: who makes one is not told
-- whether there is another. All of one address are salted alike, so that one reckoning tells which of them a password opens.
create table buyer_addresses (
  -- In lower case.
  email text primary key,
  -- scrypt, its parameters and the salt.
  salt text not null
);
insert into buyer_addresses (email, salt)
select email, regexp_replace(password, '\$[^$]*$', '') from buyer_accounts;
alter table buyer_accounts drop constraint buyer_accounts_email_key;
alter table buyer_accounts add foreign key (email) references buyer_addresses on delete cascade;
create unique index buyer_accounts_login on buyer_accounts (email, password);
