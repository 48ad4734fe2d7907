-- What has ended is found by when it did.
create index holds_ended on holds (expires_at);
create index scoped_credentials_ended on scoped_credentials (expires_at);
