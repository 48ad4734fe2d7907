import { setTimeout } from 'node:timers/promises'
import { vi } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { applyDefinition } from '../../src/domain/definition/apply-definition.ts'
import { type OpenDatabase, openDatabase } from '../../src/infra/db/database.ts'
import { type Buyer, makeBuyer } from '../race/buyers.ts'
import { random } from '../race/random.ts'
import { shop } from '../race/shop.ts'
import { differences } from '../race/views.ts'
import { caller, type Said } from '../race/wire.ts'
import { service } from '../support/definitions.ts'
import { testPlatform } from '../support/platform.ts'
import { type Receiver, testReceiver } from '../support/receiver.ts'
import { startWitness, type Witness } from './witness.ts'

const BUYERS = 6
/** Milliseconds from what one of them does to the next, which leaves the machine to the witness. */
const PAUSE = 500
const DAY = 86_400_000
const day = (after: number) => new Date(Date.now() + after * DAY).toISOString().slice(0, 10)

/** Classes with room for whatever a witness books, and so many that none is as full as no class is: each who comes is counted. */
const LARGE = Array.from({ length: 8 }, (_, nth) => `svc_large_${nth + 1}`)
const hours = ['07', '08', '09', '10', '11', '12', '13', '14', '15', '16', '17', '18']
const starts = hours.flatMap((hour) => [`${hour}:00`, `${hour}:30`])
const days = shop.hours?.[0]?.days ?? []
const business: typeof shop = {
  ...shop,
  services: [
    ...shop.services,
    ...LARGE.map((id) =>
      service(id, {
        type: 'group',
        capacity: { max: 10_000 },
        sessions: starts.map((one) => ({ days, starts: one })),
      }),
    ),
  ],
}

interface Place {
  service_id: string
  slot_id: string
}

/** Who books at a set-up, whatever happens to it. */
export interface People {
  db: OpenDatabase
  receiver: Receiver
  witness: Witness
  /** Ends the bookings, and says what is wrong with what came of them. */
  end(): Promise<string[]>
}

/** At any of these servers, of which some may come and go; `heard` is told what the platforms are, and the witness waits for so many at once. */
export async function letPeopleIn(
  origins: readonly string[],
  directUrl: string,
  aSecond: number,
  { heard = () => {}, atOnce }: { heard?: (said: Said) => void; atOnce?: number } = {},
): Promise<People> {
  const db = openDatabase(directUrl, 3, () => {})
  await applyDefinition(db, business, new Date())
  const receiver = await testReceiver()
  const platform = await testPlatform({ webhook_url: receiver.url })
  const within = { start_date: day(2), end_date: day(3) }
  const newKey = async (name: string) => (await addClient(db, name, new Date())).key
  const buyers: Buyer[] = []
  for (let index = 0; index < BUYERS; index++) {
    const [binding, numbers] = [index % 2 ? ('MCP' as const) : ('REST' as const), random(Date.now() + index)]
    const who = { binding, bearer: await newKey(`Platform ${index}`), profile: platform.url }
    buyers.push(makeBuyer(caller(origins, who, numbers, heard), numbers, within))
  }
  const bearer = await newKey('Witness')
  const slotsAt = async (origin: string) => {
    const find = caller([origin], { binding: 'REST', bearer, profile: platform.url }, random(1), heard)
    const week = { start_date: day(2), end_date: day(8), limit: 200 }
    const found: Place[] = []
    for (const service_id of LARGE) {
      const { data } = await find('usp_availability_query', { service_id, ...week })
      found.push(...(data.slots ?? []).map(({ id }: { id: string }) => ({ service_id, slot_id: id })))
    }
    return found.length > 0 && found
  }
  // Each server that runs already learns of the definition within a second of its own.
  const [slots = []] = await Promise.all(
    origins.map((origin) => vi.waitUntil(() => slotsAt(origin), { timeout: 10_000 })),
  )
  const witness = startWitness(
    origins,
    {
      path: '/bookings',
      headers: { authorization: `Bearer ${bearer}`, 'usp-agent': `profile="${platform.url}"` },
      bodyOf: (turn) => ({
        ...slots[turn % slots.length],
        buyer: { first_name: 'Wim', last_name: 'Witness', email: 'wim@example.com' },
      }),
    },
    aSecond,
    atOnce,
  )
  let isOver = false
  const booking = Promise.all(
    buyers.map(async ({ step }) => {
      for (; !isOver; await setTimeout(PAUSE)) await step()
    }),
  )
  booking.catch(() => {}) // It is heard at the end.
  return {
    db,
    receiver,
    witness,
    async end() {
      isOver = true
      await booking
      await witness.stop()
      const wrong = await Promise.all(buyers.map((buyer) => differences(db, buyer, [])))
      const stored = await db.selectFrom('bookings').select(['id', 'service_id']).execute()
      const known = new Set([...witness.booked, ...buyers.flatMap(({ seen }) => [...seen.keys()])])
      const ids = new Set(stored.map(({ id }) => id))
      return [
        ...wrong.flat(),
        ...witness.booked.filter((id) => !ids.has(id)).map((id) => `${id}: acknowledged, and lost`),
        ...stored.filter(({ id }) => !known.has(id)).map(({ id }) => `${id}: nobody was told, or of another`),
      ]
    },
  }
}

/** Events that did not arrive yet. */
export async function undelivered({ db, receiver }: People): Promise<string[]> {
  const due = await db.selectFrom('deliveries').select(['event_id', 'status']).execute()
  const arrived = new Set(receiver.received.map(({ body }) => body.event_id))
  return due
    .filter(({ event_id, status }) => !['delivered', 'unwanted'].includes(status) || !arrived.has(event_id))
    .map(({ event_id, status }) => `${event_id} ${status}`)
}
