#!/bin/sh
# Called once by Patroni, on the first primary, with where that is. No standby is there yet to wait for.
PGOPTIONS='-c synchronous_commit=local' psql -q -v ON_ERROR_STOP=1 -v "password=$USP_PASSWORD" "$1" <<'SQL'
-- It may make databases: a backup is checked in one.
create role usp login createdb password :'password';
-- What a server sets itself on each connection that is its own, which one of a pooler is not.
alter role usp set lock_timeout = '5s';
alter role usp set idle_in_transaction_session_timeout = '12s';
grant pg_monitor to usp;
create database usp owner usp;
SQL
