import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { mcpDesk, restDesk, testShop } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { Model, type Slot } from './model.ts'
import { takenBy } from './model-agreement.ts'
import { HOUR, kinds, modelDefinition } from './model-shop.ts'
import { type Real, steps } from './model-steps.ts'

const shop = await testShop(modelDefinition)
const { db } = shop.runtime
const desks = { REST: restDesk(shop), MCP: mcpDesk(shop) }
const slots: Slot[] = (await Promise.all(Object.keys(kinds).map((id) => desks.REST.slots(id)))).flat().map((slot) => ({
  ...slot,
  start: new Date(slot.start).getTime(),
  end: new Date(slot.end).getTime(),
}))

/** The ledger as it is: claims and places that have not lapsed. */
async function taken() {
  const now = shop.time.now
  const { rows } = await sql<object>`
    select holder_id as holder, extract(epoch from expires_at)::float8 * 1000 as expires, resource_id as what,
      extract(epoch from lower(during))::float8 * 1000 as from, extract(epoch from upper(during))::float8 * 1000 as to
    from claims where expires_at is null or expires_at > ${now}`.execute(db)
  const seats = await sql<object>`
    select holder_id as holder, extract(epoch from expires_at)::float8 * 1000 as expires,
      extract(epoch from starts_at)::float8 * 1000 as what, spots
    from seats join sessions on sessions.id = session_id where expires_at is null or expires_at > ${now}`.execute(db)
  return [...rows, ...seats.rows] as { holder: string }[]
}

async function fresh(start: number): Promise<{ model: Model; real: Real }> {
  await sql`truncate bookings, holds, claims, seats, replies cascade`.execute(db)
  shop.time.now = new Date(start)
  return {
    model: new Model(start),
    real: {
      desks,
      slots,
      seen: new Map(),
      who: { one: shop.platform, other: shop.other },
      setClock: (now) => {
        shop.time.now = new Date(now)
      },
      expectTaken: async (model) => {
        const found = await taken()
        expect(found.sort((one, other) => (one.holder < other.holder ? -1 : 1))).toEqual(takenBy(model))
      },
    },
  }
}

/** Long before the only morning, so that all is free of fees; and shortly before it. */
const beginnings = fc.constantFrom(0, 75, 93).map((hours) => START.getTime() + hours * HOUR)

/** Then no further round begins; one that found something is still made as short as it can be. */
const LONG_ENOUGH = 22_000

test('[BKG-018] [BKG-122] [PAY-017] [PAY-018] in whatever order things are done, the server does what the rules say', async () => {
  const began = performance.now()
  let failed = false
  let rounds = 0
  const property = fc.asyncProperty(beginnings, steps, async (start, commands) => {
    if (!failed && performance.now() - began > LONG_ENOUGH) return
    const made = await fresh(start)
    try {
      await fc.asyncModelRun(() => made, commands)
      rounds++
    } catch (error) {
      failed = true
      throw error
    }
  })
  await fc.assert(property, { numRuns: 150 })
  expect(rounds).toBeGreaterThan(0)
})
