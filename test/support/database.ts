import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { ROLE } from '../../src/db/embedded-role.ts'
import { databaseUrl, TEMPLATE } from './postgres.ts'

/** A database of this test file's own, migrated and empty unless asked otherwise. Dropped by the server's end. */
export async function freshDatabase({ migrated = true } = {}): Promise<string> {
  const name = `${process.env.USP_TEST_PREFIX ?? 'usp'}_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client(inject('superuser'))
  await admin.connect()
  try {
    await admin.query(
      `create database ${name} owner ${ROLE} ${migrated ? `template ${TEMPLATE} strategy file_copy` : ''}`,
    )
  } finally {
    await admin.end()
  }
  return databaseUrl(inject('postgres'), name)
}
