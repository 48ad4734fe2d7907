import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addClient } from '../../src/authentication/api-keys.ts'
import { openDatabase } from '../../src/db/database.ts'
import { applyDefinition } from '../../src/definition/apply-definition.ts'
import { makeBuyer } from '../race/buyers.ts'
import { random } from '../race/random.ts'
import { startServers } from '../race/servers.ts'
import { shop } from '../race/shop.ts'
import { differences } from '../race/views.ts'
import { caller, type Said } from '../race/wire.ts'
import { freshDatabase } from '../support/database.ts'
import { missing, startPgbouncer } from '../support/pgbouncer.ts'
import { testPlatform } from '../support/platform.ts'

const SECONDS = 4
const ENOUGH = 10
const MOST_MS = 60_000
const POOLED = /nothing can be heard through it/g
const DAY = 86_400_000
const day = (after: number) => new Date(Date.now() + after * DAY).toISOString().slice(0, 10)

test.skipIf(missing)(
  `[never another's statement behind a pooler] several servers start, work and are verified through PgBouncer in transaction mode${missing}`,
  async () => {
    const url = await freshDatabase({ migrated: false })
    const pooled = await startPgbouncer(url)
    // All at once, on a database without a schema.
    const servers = await startServers(pooled, 3)
    const db = openDatabase(url, 5, () => {})
    await applyDefinition(db, shop, new Date())
    const platform = await testPlatform()
    const codes = new Set<string>()
    const heard = ({ code = 'done' }: Said) => codes.add(code)
    const days = { start_date: day(2), end_date: day(3) }
    const buyers = await Promise.all(
      servers.origins.flatMap((origin) =>
        (['REST', 'MCP'] as const).map(async (binding, index) => {
          const { key } = await addClient(db, `Platform ${origin} ${binding}`, new Date())
          const numbers = random(Number(new URL(origin).port) + index)
          const who = { binding, bearer: key, profile: platform.url }
          return makeBuyer(caller([origin], who, numbers, heard), numbers, days)
        }),
      ),
    )
    const until = Date.now() + SECONDS * 1000
    const booked = () => buyers.reduce((count, { seen }) => count + seen.size, 0)
    // A busy machine takes longer for as many.
    const go = async ({ step }: { step(): Promise<void> }) => {
      while (Date.now() < until || (booked() <= ENOUGH && Date.now() < until + MOST_MS)) await step()
    }
    await Promise.all(buyers.map(go))
    expect((await Promise.all(buyers.map((one) => differences(db, one, [])))).flat()).toEqual([])
    expect(booked()).toBeGreaterThan(ENOUGH)
    expect([...codes]).not.toContain('server_error')
    expect([...codes]).not.toContain('service_unavailable')

    // Whatever they left behind in the pool does not keep the next from starting.
    await expect.poll(() => servers.output().match(POOLED)?.length, { timeout: 30_000 }).toBe(3)
    await servers.stop()
    expect(servers.output()).not.toMatch(/prepared statement|"level":[56]0/)
    const again = await startServers(pooled, 1, { DATABASE_DIRECT_URL: url })
    expect(await again.command('verify')).toMatchObject({ code: 0 })
    const listeners = async () => {
      const { rows } = await sql`
        select pid from pg_stat_activity
        where application_name = 'usp-server listener' and datname = current_database()`.execute(db)
      return rows.length
    }
    // Those of the servers before may still be about to end.
    await expect.poll(listeners, { timeout: 30_000 }).toBe(1)
    await again.stop()
    expect(again.output()).not.toMatch(POOLED)
    await db.destroy()
  },
)
