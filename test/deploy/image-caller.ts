import { startWitness, type Witness } from '../ha/witness.ts'
import { CLASS } from './image-business.ts'

const RATE_PER_SECOND = 10
const MAX_CONCURRENT = 8
const DAY_MS = 86_400_000
const dateAfter = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

/** In production, the server answers only calls that a proxy received over https. */
const overHttps = { 'x-forwarded-proto': 'https' }

export interface Answer {
  status: number
  retryAfter: number
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
  body: any
}

/** Calls the server in the container, as a proxy in front of it does. */
export function callerOf(origin: string, token: string) {
  const headers = { ...overHttps, authorization: `Bearer ${token}` }
  const bodyOf = (slot_id: string) => ({ service_id: CLASS, slot_id, buyer: { first_name: 'Wim' } })
  const post = async (path: string, body: object, more: Record<string, string> = {}): Promise<Answer> => {
    const answer = await fetch(`${origin}/usp/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers, ...more },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    })
    const retryAfter = Number(answer.headers.get('retry-after'))
    return { status: answer.status, retryAfter, body: await answer.json() }
  }
  return {
    post,
    statusOf: async (path: string) => (await fetch(origin + path, { headers: overHttps })).status,
    async slots(): Promise<string[]> {
      const query = { service_id: CLASS, start_date: dateAfter(2), end_date: dateAfter(8) }
      const { body } = await post('/availability/query', query)
      return body.slots.map(({ id }: { id: string }) => id)
    },
    book: (slot: string, key: string) => post('/business/bookings', bodyOf(slot), { 'idempotency-key': key }),
    /** Books again and again. Each booking is repeated until the server acknowledges it. */
    startLoad: (slots: string[]): Witness =>
      startWitness(
        [origin],
        { path: '/business/bookings', headers, bodyOf: (turn) => bodyOf(slots[turn % slots.length] ?? '') },
        RATE_PER_SECOND,
        MAX_CONCURRENT,
      ),
  }
}
