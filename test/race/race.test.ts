import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { addStaff } from '../../src/core/authentication/staff-members.ts'
import { expireOverdue } from '../../src/domain/bookings/expire-overdue-bookings.ts'
import { applyDefinition } from '../../src/domain/definition/apply-definition.ts'
import { readConfig } from '../../src/infra/config/read-config.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { operations } from '../../src/server/all-operations.ts'
import { makeRuntime } from '../../src/server/build-dependencies.ts'
import { freshDatabase } from '../support/database.ts'
import { missing, startPgbouncer } from '../support/pgbouncer.ts'
import { testPlatform } from '../support/platform.ts'
import { makeBuyer } from './buyers.ts'
import { random } from './random.ts'
import { SECRET, startServers } from './servers.ts'
import { shop } from './shop.ts'
import { makeClerk } from './staff.ts'
import { differences } from './views.ts'
import { caller, type Said } from './wire.ts'

/** `USP_RACE_SECONDS=60 npx vitest run test/race` for the long form; USP_RACE_SEED repeats what was wished in a run. */
const SECONDS = Number(process.env.USP_RACE_SECONDS ?? 10)
const SEED = Number(process.env.USP_RACE_SEED ?? Date.now() % 1_000_000)
/** So much has to be done that of each kind there is something, which a busy machine takes longer for. */
const ENOUGH = 500
const MOST_MS = 90_000
const BUYERS = 8
const DAY = 86_400_000

const day = (after: number) => new Date(Date.now() + after * DAY).toISOString().slice(0, 10)

const promise =
  '[HLD-013] [HLD-022] [BKG-006] [IDM-022] whatever many do at once, and though a server is killed, nothing is booked twice and nobody is told otherwise'

test(promise, () => race(3), 240_000)

test.skipIf(missing)(`${promise}: on two servers and one pooler${missing}`, () => race(2, startPgbouncer), 240_000)

async function race(count: number, through = async (url: string) => url) {
  console.log(`USP_RACE_SEED=${SEED} USP_RACE_SECONDS=${SECONDS}`)
  const url = await freshDatabase()
  const db = openDatabase(url, 5, () => {})
  await applyDefinition(db, shop, new Date())
  const platform = await testPlatform()
  const servers = await startServers(await through(url), count)
  const codes = new Map<string, number>()
  const heard = ({ code = 'done' }: Said) => codes.set(code, (codes.get(code) ?? 0) + 1)

  const days = { start_date: day(2), end_date: day(3) }
  // Two come through one platform, so that they meet in its limits.
  const keys = await Promise.all(
    Array.from({ length: BUYERS - 1 }, (_, index) => addClient(db, `Platform ${index}`, new Date())),
  )
  const buyers = await Promise.all(
    Array.from({ length: BUYERS }, async (_, index) => {
      const { key = '' } = keys[index % keys.length] ?? {}
      const [binding, numbers] = [index % 2 ? ('MCP' as const) : ('REST' as const), random(SEED + index)]
      const who = { binding, bearer: key, profile: platform.url }
      return makeBuyer(caller(servers.origins, who, numbers, heard), numbers, days)
    }),
  )
  const desk = random(SEED + BUYERS)
  const staff = { binding: 'REST' as const, bearer: await addStaff(db, 'Clerk', 'manager', new Date()) }
  const clerk = makeClerk(caller(servers.origins, staff, desk, heard), desk, Date.parse(`${days.start_date}T14:00:00Z`))

  const until = Date.now() + SECONDS * 1000
  const isEnough = () => (codes.get('done') ?? 0) >= ENOUGH
  const go = async ({ step }: { step(): Promise<void> }) => {
    while (Date.now() < until || (!isEnough() && Date.now() < until + MOST_MS)) await step()
  }
  const kill = async () => {
    await setTimeout((SECONDS * 1000) / 2)
    await servers.killAndRestart(1)
  }
  await Promise.all([...buyers.map(go), go(clerk), kill()])
  for (const { leaveUnpaid } of buyers) await leaveUnpaid({ start_date: day(5), end_date: day(6) })
  // Payments that nobody made are too late by now, wherever they were asked for.
  await setTimeout(3_000)
  const log = pino({ enabled: false })
  const clock = () => new Date()
  const runtime = makeRuntime({ config: readConfig({}), db, log, clock, secretKey: SECRET, operations })
  await expireOverdue(runtime, clock())

  const wrong = await Promise.all(buyers.map((one) => differences(db, one, clerk.told)))
  expect(wrong.flat()).toEqual([])
  const known = new Set(buyers.flatMap(({ seen }) => [...seen.keys()]))
  const stored = await db.selectFrom('bookings').select('id').execute()
  expect(stored.filter(({ id }) => !known.has(id))).toEqual([])

  await servers.stop()
  const verified = await servers.command('verify')
  expect(verified).toMatchObject({ code: 0 })
  console.log(verified.output, Object.fromEntries(codes))
  expect([...codes.keys()]).not.toContain('server_error')
  expect(servers.output()).not.toMatch(/40P01|deadlock|prepared statement/)
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks::integer from pg_stat_database where datname = current_database()`.execute(db)
  expect(rows).toEqual([{ deadlocks: 0 }])
  const { rows: done } = await sql<{ action: string }>`select distinct action from changes order by action`.execute(db)
  expect(done.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['block', 'cancel', 'complete_payment', 'confirm', 'create', 'expire', 'reschedule']),
  )
  await db.destroy()
}
