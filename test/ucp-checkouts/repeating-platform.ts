import { randomInt, randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { instrument } from './paid-shop.ts'
import { alice, paid } from './ucp-shop.ts'

export interface Slot {
  id: string
}

/** The read parts of an answer about a checkout. */
export interface Told {
  id: string
  status: string
  messages?: { code: string }[]
  booking: { hold_id: string }
}

/** A call about a checkout. A repetition has the same key and the same body. */
export interface Call {
  kind: 'create' | 'update' | 'complete' | 'cancel'
  ask(): Promise<Told>
}

interface Access {
  port: number
  profile: string
  bearer: string
}

/** A platform that sends a call again if it gets no answer, and remembers the last status of each checkout. */
export function repeatingPlatform({ port, profile, bearer }: Access) {
  const told = new Map<string, string>()

  async function send<Body>(method: string, path: string, body?: object, key?: string): Promise<Body> {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        'ucp-agent': `profile="${profile}"`,
        authorization: `Bearer ${bearer}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return JSON.parse(text || '{}')
  }

  const ENDED = ['completed', 'canceled']

  /** An ended checkout never changes its status again. */
  async function ask(...request: Parameters<typeof send>): Promise<Told> {
    const answer = await send<Told>(...request)
    const before = told.get(answer.id) ?? ''
    if (ENDED.includes(before)) expect([answer.id, answer.status]).toEqual([answer.id, before])
    told.set(answer.id, answer.status)
    return answer
  }

  const PATH = '/ucp/v1/checkout-sessions'
  const wish = (slot: Slot) => ({
    line_items: [{ item: { id: paid.id }, quantity: 1 }],
    buyer: alice,
    booking: { service_id: paid.id, service_type: 'appointment', slot },
  })
  const call = (kind: Call['kind'], ...request: Parameters<typeof send>): Call => ({ kind, ask: () => ask(...request) })

  return {
    told,
    async freeSlot(): Promise<Slot> {
      const from = 1 + randomInt(40)
      const day = (days: number) => new Date(Date.now() + days * 24 * 3_600_000).toISOString().slice(0, 10)
      const query = { service_id: paid.id, start_date: day(from), end_date: day(from + 12) }
      const { slots } = await send<{ slots: Slot[] }>('POST', '/usp/v1/availability/query', query)
      const slot = slots[randomInt(slots.length)]
      if (!slot) throw new Error('All slots are taken')
      return slot
    },
    release: (hold: string) => send('DELETE', `/usp/v1/availability/holds/${hold}`),
    read: (id: string) => ask('GET', `${PATH}/${id}`),
    create: (slot: Slot) => call('create', 'POST', PATH, wish(slot), randomUUID()),
    update: (id: string, slot: Slot) => call('update', 'PUT', `${PATH}/${id}`, wish(slot)),
    complete: (id: string, token: string) =>
      call('complete', 'POST', `${PATH}/${id}/complete`, instrument(token), randomUUID()),
    cancel: (id: string) => call('cancel', 'POST', `${PATH}/${id}/cancel`, {}, randomUUID()),
  }
}

export type RepeatingPlatform = ReturnType<typeof repeatingPlatform>
