import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { applyDefinition } from '../../src/domain/definition/apply-definition.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { startServers } from '../race/servers.ts'
import { freshDatabase } from '../support/database.ts'
import { generousLimits } from '../support/generous-limits.ts'
import { testPlatform } from '../support/platform.ts'
import { stripeStandIn } from '../support/stripe.ts'
import { codes } from './both-bindings.ts'
import { instrument } from './paid-shop.ts'
import { alice, free, paid, ucpDefinition, ucpPlatform } from './ucp-shop.ts'

const ids = { STRIPE_NETWORK_ID: 'profile_swordfish', STRIPE_ACCOUNT_ID: 'acct_swordfish' }

const url = await freshDatabase()
const db = openDatabase(url, 3, () => {})
const definition = ucpDefinition([free, paid], { payments: { provider: 'stripe' }, limits: generousLimits })
await applyDefinition(db, definition, new Date())
const stripe = await stripeStandIn()
const platform = await testPlatform()
platform.profile = ucpPlatform()
const { key: bearer } = await addClient(db, 'Platform', new Date())
const servers = await startServers(url, 2, { ...stripe.env, ...ids })
const [one = '', other = ''] = servers.origins
afterAll(async () => {
  await servers.stop()
  await db.destroy()
})

async function send(origin: string, path: string, body: object, key: string = randomUUID()) {
  const answer = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: {
      'ucp-agent': `profile="${platform.url}"`,
      authorization: `Bearer ${bearer}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
  })
  return answer.json()
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
type Body = any

const dayAfter = (days: number) => new Date(Date.now() + days * 24 * 3_600_000).toISOString().slice(0, 10)

async function opened(service: string) {
  const query = { service_id: service, start_date: dayAfter(2), end_date: dayAfter(13), limit: 200 }
  const { slots } = await send(one, '/usp/v1/availability/query', query)
  const slot = slots[Math.floor(Math.random() * slots.length)]
  const booking = { service_id: service, service_type: 'appointment', slot }
  const line_items = [{ item: { id: service }, quantity: 1 }]
  const body = await send(one, '/ucp/v1/checkout-sessions', { line_items, buyer: alice, booking })
  expect(body.status).toBe('ready_for_complete')
  return body
}

const complete = (origin: string, id: string, body: object, key?: string) =>
  send(origin, `/ucp/v1/checkout-sessions/${id}/complete`, body, key)

const newInstrument = () => instrument(stripe.grant().id)

async function expectOneBooking({ id, booking: { booking_id, hold_id } }: Body, charges: number) {
  const taken = stripe.intents.filter(
    ({ metadata, status }) => metadata.booking === booking_id && status === 'succeeded',
  )
  expect([taken.length, stripe.refunds.length]).toEqual([charges, 0])
  const rows = await db.selectFrom('ucp_charges').select('status').where('checkout_id', '=', id).execute()
  expect(rows.map(({ status }) => status)).toEqual(Array(charges).fill('booked'))
  const bookings = await db.selectFrom('bookings').select(['id', 'status']).where('hold_id', '=', hold_id).execute()
  expect(bookings).toEqual([{ id: booking_id, status: 'confirmed' }])
  expect((await verify(db, new Date())).findings.listed).toEqual([])
}

test('[LIV-115] two completions with different keys on two servers, one of which waits for Stripe: the other is told so', async () => {
  const body = await opened('svc_paid')
  let isFirstWaiting = false
  let release = () => {}
  const secondAnswered = new Promise<void>((resolve) => {
    release = resolve
  })
  stripe.beforeAnswer = async ({ path }) => {
    if (path !== '/v1/payment_intents') return
    isFirstWaiting = true
    await secondAnswered
  }
  const first = complete(one, body.id, newInstrument())
  await expect.poll(() => isFirstWaiting).toBe(true)
  const second = await complete(other, body.id, newInstrument())
  release()
  expect([second.status, codes(second)]).toEqual(['complete_in_progress', ['complete_in_progress']])
  expect((await first).status).toBe('completed')
  stripe.beforeAnswer = async () => {}
  await expectOneBooking(body, 1)
}, 60_000)

test('[LIV-115] two completions with different keys at once on two servers make one charge and one booking', async () => {
  for (let round = 0; round < 10; round++) {
    const body = await opened('svc_paid')
    const answers = await Promise.all([one, other].map((origin) => complete(origin, body.id, newInstrument())))
    const [busy, ...completed] = answers.toSorted((a, b) => codes(b).length - codes(a).length)
    expect(completed.map((answer) => [answer.status, codes(answer)])).toEqual([['completed', []]])
    expect([
      ['complete_in_progress', ['complete_in_progress']],
      ['completed', ['checkout_completed']],
    ]).toContainEqual([busy.status, codes(busy)])
    await expectOneBooking(body, 1)
  }
}, 60_000)

test('[LIV-115] two completions with one key at once on two servers make one charge, and agree on the outcome', async () => {
  for (let round = 0; round < 5; round++) {
    const body = await opened('svc_paid')
    const [payment, key] = [newInstrument(), randomUUID()]
    await Promise.all([one, other].map((origin) => complete(origin, body.id, payment, key)))
    const again = await Promise.all([one, other].map((origin) => complete(origin, body.id, payment, key)))
    expect(again.map(({ status }) => status)).toEqual(['completed', 'completed'])
    await expectOneBooking(body, 1)
  }
}, 60_000)

test('[LIV-115] two completions of a free checkout at once on two servers make one booking', async () => {
  for (let round = 0; round < 5; round++) {
    const body = await opened('svc_free')
    const answers = await Promise.all([one, other].map((origin) => complete(origin, body.id, {})))
    expect(answers.map(({ status }) => status)).toEqual(['completed', 'completed'])
    expect(answers.map(codes).toSorted()).toEqual([[], ['checkout_completed']])
    await expectOneBooking(body, 0)
  }
}, 60_000)
