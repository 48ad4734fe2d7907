#!/bin/sh
# Creates the role and the database of the servers. Patroni runs this script once, with the address of the first primary. Its commits do not
# wait for a standby, because no standby exists yet.
PGOPTIONS='-c synchronous_commit=local' psql -q -v ON_ERROR_STOP=1 -v "password=$USP_PASSWORD" "$1" <<'SQL'
-- The check of a backup creates a database.
create role usp login createdb password :'password';
-- A server sets these on its own connections. It cannot set them on the connections of a pooler.
alter role usp set lock_timeout = '5s';
alter role usp set idle_in_transaction_session_timeout = '12s';
grant pg_monitor to usp;
create database usp owner usp;
SQL
