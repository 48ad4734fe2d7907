import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { ROLE } from '../../src/infra/db/embedded-postgres-cluster.ts'
import { databaseUrl, TEMPLATE } from './postgres.ts'

const made: string[] = []

/** A new database for this test file, migrated by default, and empty. Dropped at the end of the file. */
export async function freshDatabase({ migrated = true } = {}): Promise<string> {
  const name = `${process.env.USP_TEST_PREFIX ?? 'usp'}_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client(inject('superuser'))
  await admin.connect()
  try {
    await admin.query(
      `create database ${name} owner ${ROLE} ${migrated ? `template ${TEMPLATE} strategy file_copy` : ''}`,
    )
    made.push(name)
  } finally {
    await admin.end()
  }
  return databaseUrl(inject('postgres'), name)
}

/** Drops the file's databases: all databases of a run would take ten gigabytes. */
export async function dropDatabases(): Promise<void> {
  if (made.length === 0) return
  const admin = new pg.Client(inject('superuser'))
  await admin.connect()
  try {
    for (const name of made.splice(0)) await admin.query(`drop database if exists ${name} with (force)`)
  } finally {
    await admin.end()
  }
}
