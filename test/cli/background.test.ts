import pg from 'pg'
import { afterAll, expect, inject, test, vi } from 'vitest'
import { startBackground } from '../../src/cli/start-background-thread.ts'
import { readConfig } from '../../src/infra/config/read-config.ts'
import { startLoopCounter } from '../../src/infra/telemetry/event-loop/monitor-event-loop.ts'
import { freshDatabase } from '../support/database.ts'

const secretKey = 'a secret that is long enough to be one'
const databaseUrl = await freshDatabase()
const admin = new pg.Client(inject('superuser'))
await admin.connect()
afterAll(() => admin.end())

const patiently = { timeout: 250_000, interval: 100 }
const name = new URL(databaseUrl).pathname.slice(1)
const letIn = (isOpen: boolean) => admin.query(`alter database ${name} allow_connections ${isOpen}`)

async function jobsDone(): Promise<string[]> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const { rows } = await client.query('select job from housekeeping where ran_at is not null')
  await client.end()
  return rows.map(({ job }) => job)
}

test('[work apart] what the server does by itself is done in a thread, and by another after one that ended by a fault', async () => {
  const faults: string[] = []
  await letIn(false)
  const background = startBackground(
    { config: readConfig({}), databaseUrl, directUrl: databaseUrl, secretKey, loopCounter: startLoopCounter() },
    { error: (_: object, what: string) => faults.push(what) },
    { pause: 100 },
  )
  expect(background.occupancy()).toBeUndefined()
  await vi.waitFor(() => expect(faults.length).toBeGreaterThan(1), patiently)
  await letIn(true)
  await vi.waitFor(async () => expect(await jobsDone()).toContain('refresh hints'), patiently)
  const { databasePool } = readConfig({})
  const half = Math.ceil(databasePool / 2)
  await vi.waitFor(() => expect(background.occupancy()).toMatchObject({ most: half, waiting: 0 }), patiently)
  expect(background.occupancy()?.open).toBeGreaterThan(0)
  await background.close()
  expect(background.occupancy()).toBeUndefined()
  const connections = 'select application_name from pg_stat_activity where datname = $1'
  await vi.waitFor(async () => expect((await admin.query(connections, [name])).rows).toEqual([]), patiently)
}, 600_000)

test('[work apart] a thread that hangs is ended, and followed by another', async () => {
  const faults: string[] = []
  const background = startBackground(
    { config: readConfig({}), databaseUrl, directUrl: databaseUrl, secretKey, loopCounter: startLoopCounter() },
    { error: (_: object, what: string) => faults.push(what) },
    { pause: 1, beat: 20, file: new URL('../support/hanging-thread.ts', import.meta.url) },
  )
  await vi.waitFor(() => expect(faults.filter((what) => what.includes('hangs')).length).toBeGreaterThan(1), patiently)
  await background.close()
}, 600_000)
