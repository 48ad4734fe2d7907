-- Whom a client certificate names, and the principal that this is. Who was known by the whole certificate keeps that name: a
-- principal `cert:` with the hash of a certificate is taken up here when that certificate is next shown.
create table certificate_holders (
  -- SHA-256 of the issuer and of what the issuer calls the holder, base64url.
  holder text primary key,
  principal text not null
);
