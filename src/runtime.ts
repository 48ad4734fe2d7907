import type { FastifyBaseLogger } from 'fastify'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import type { Cursors } from './protocol/cursor.ts'

/** What the whole server runs on. Tests put their own database and clock in. */
export interface Runtime {
  config: Config
  db: Database
  clock: () => Date
  cursors: Cursors
  log: FastifyBaseLogger
}
