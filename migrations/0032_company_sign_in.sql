-- expand
-- The OpenID Connect provider with which staff sign in. An owner enters it at the desk. The table has at most one row. The secret is
-- encrypted. Each change inserts a new row with a new revision, so that a sign-in that began before the change fails.
create table company_sign_in (
  only_row boolean primary key default true check (only_row),
  revision bigint generated always as identity,
  name text not null,
  issuer text not null,
  client_id text not null,
  client_secret bytea not null,
  domains text[] not null,
  -- A list of objects with the members claim, value and role.
  rules jsonb not null,
  default_role text,
  -- Null until an owner has tested the settings with a sign-in. Until then, nobody enters with them.
  tested_at timestamptz
);
-- The accounts at the provider that belong to staff members. A row without a staff member belonged to a removed one, and stays out.
create table company_accounts (
  issuer text not null,
  subject text not null,
  staff_id text unique references staff on delete set null,
  primary key (issuer, subject)
);
-- SHA-256 of the email addresses of removed staff. A company account with such an address creates no staff member.
create table removed_staff (
  email_digest bytea primary key
);
alter table staff_sessions add column by_company boolean not null default false;
