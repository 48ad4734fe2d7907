/**
 * Writes and compares the due calendars of a database at one time, until it is killed. The arguments are the address of
 * the database, and the time.
 */
import { setTimeout as pass } from 'node:timers/promises'
import pino from 'pino'
import { writeDueCalendars } from '../../src/domain/calendar-writing/calendar-writer.ts'
import { readConfig } from '../../src/infra/config/read-config.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { makeRuntime } from '../../src/server/build-dependencies.ts'

const [, , databaseUrl = '', at = '', secretKey = ''] = process.argv
const db = openDatabase(databaseUrl, 2, () => {})
const runtime = makeRuntime({
  config: readConfig({}),
  db,
  clock: () => new Date(at),
  log: pino({ level: 'silent' }),
  secretKey,
  operations: [],
})
process.send?.('ready')
for (;;) {
  await writeDueCalendars(runtime)
  await pass(20)
  await db
    .updateTable('calendar_writers')
    .set({ next_at: new Date(at) })
    .execute()
}
