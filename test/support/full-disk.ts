import pg from 'pg'
import { inject } from 'vitest'

/** Simulates PostgreSQL's error for a full disk: for writes to some rows, and for the table that probes the disk space. */
export function fullDisk(databaseUrl: string, rows: string) {
  const own = Object.assign(new URL(inject('superuser')), { pathname: new URL(databaseUrl).pathname })
  const ask = async (text: string) => {
    const admin = new pg.Client(own.href)
    await admin.connect()
    await admin.query(text).finally(() => admin.end())
  }
  return {
    fill: () =>
      ask(`
        create function no_room() returns trigger language plpgsql as $$ begin
          raise 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$;
        create function no_room_for_tables() returns event_trigger language plpgsql as $$ begin
          raise 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$;
        create trigger full_disk before ${rows} execute function no_room();
        create event trigger full_disk on ddl_command_start when tag in ('CREATE TABLE AS')
          execute function no_room_for_tables()`),
    makeRoom: () => ask('drop event trigger full_disk; drop function no_room, no_room_for_tables cascade'),
  }
}
