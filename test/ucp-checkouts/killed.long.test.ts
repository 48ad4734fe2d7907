import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { applyDefinition } from '../../src/domain/definition/apply-definition.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { generousLimits } from '../support/generous-limits.ts'
import { ownPostgres } from '../support/own-postgres.ts'
import { testPlatform } from '../support/platform.ts'
import { openPostgresProxy } from '../support/postgres-proxy.ts'
import { freePort, usp, waitForOutput } from '../support/process.ts'
import { stripeStandIn } from '../support/stripe.ts'
import { instrument } from './paid-shop.ts'
import { alice, paid, ucpDefinition, ucpPlatform } from './ucp-shop.ts'

/** How often the server or the database is killed at a random time. The test of a release takes 184: 200 with the others. */
const KILLS = Number(process.env.USP_KILLS ?? 16)
/** Milliseconds that a completion takes at most on a quiet machine. */
const COMPLETION_MS = 120

const postgres = await ownPostgres(afterAll)
const databaseUrl = postgres.url
const proxy = await openPostgresProxy(databaseUrl)
const db = openDatabase(databaseUrl, 2, () => {})
await applyDefinition(
  db,
  ucpDefinition([paid], { payments: { provider: 'stripe' }, limits: generousLimits }),
  new Date(),
)
const stripe = await stripeStandIn()
const platform = await testPlatform()
platform.profile = ucpPlatform()
const { key: apiKey } = await addClient(db, 'Known', new Date())
const folder = mkdtempSync(join(tmpdir(), 'usp-killed-'))
const port = await freePort()

async function serve() {
  const ids = { STRIPE_NETWORK_ID: 'profile_swordfish', STRIPE_ACCOUNT_ID: 'acct_swordfish' }
  const env = { PORT: String(port), DATABASE_URL: proxy.url, USP_DATA_DIR: folder, ...stripe.env, ...ids }
  const started = usp(['serve'], env)
  await waitForOutput(started, 'Ctrl-C stops it.')
  return started
}
let running = await serve()
afterAll(async () => {
  running.process.kill('SIGKILL')
  await running.ended
  await db.destroy()
  rmSync(folder, { recursive: true })
})

async function send(method: string, path: string, body?: object, key?: string) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      'ucp-agent': `profile="${platform.url}"`,
      authorization: `Bearer ${apiKey}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return answer.json()
}

/** Rejects while the server is not ready, for example without its database. */
const isReady = async () => expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)

/** A new checkout, and the call that completes it. */
async function newCheckout() {
  const day = (days: number) => new Date(Date.now() + days * 24 * 3_600_000).toISOString().slice(0, 10)
  const query = { service_id: paid.id, start_date: day(1), end_date: day(13) }
  const { slots } = await send('POST', '/usp/v1/availability/query', query)
  const slot = slots[Math.floor(Math.random() * slots.length)]
  const booking = { service_id: paid.id, service_type: 'appointment', slot }
  const line_items = [{ item: { id: paid.id }, quantity: 1 }]
  const { id } = await send('POST', '/ucp/v1/checkout-sessions', { line_items, buyer: alice, booking }, randomUUID())
  expect(id).toMatch(/^chk_/)
  const [token, key] = [stripe.grant({}).id, randomUUID()]
  return { id, complete: () => send('POST', `/ucp/v1/checkout-sessions/${id}/complete`, instrument(token), key) }
}

/** The lease of a charge is as long as the slowest answer of Stripe. Here it ends at once with its process. */
async function killAndRestart() {
  running.process.kill('SIGKILL')
  await running.ended
  const lapsed = { leased_until: null, next_at: new Date() }
  await db.updateTable('ucp_charges').set(lapsed).where('status', 'in', ['intended', 'reversing']).execute()
  running = await serve()
}

/** Resolves when Stripe has executed such a request. Its answer never comes. */
const executed = (path: RegExp) =>
  new Promise<void>((resolve) => {
    stripe.beforeAnswer = async (asked) => {
      if (!path.test(asked.path)) return
      stripe.beforeAnswer = async () => {}
      resolve()
      await setTimeout(1_000)
    }
  })

const bookingsOf = async (checkout: string) => {
  const { rows } = await db.executeQuery<{ id: string; status: string }>(
    db
      .selectFrom('ucp_checkouts')
      .innerJoin('bookings', 'bookings.id', 'ucp_checkouts.booking_id')
      .select(['bookings.id', 'bookings.status'])
      .where('ucp_checkouts.id', '=', checkout)
      .compile(),
  )
  return rows
}

/** The money that Stripe took for a checkout and did not give back. */
async function kept(checkout: string) {
  const charges = await db.selectFrom('ucp_charges').select('reference').where('checkout_id', '=', checkout).execute()
  const references = new Set(charges.map(({ reference }) => reference))
  const taken = stripe.intents.filter(({ id }) => references.has(id))
  const returned = stripe.refunds.filter(({ payment_intent }) => references.has(payment_intent))
  return (
    taken.reduce((sum, { amount_received }) => sum + amount_received, 0) -
    returned.reduce((sum, { amount }) => sum + amount, 0)
  )
}

const settled = () =>
  vi.waitFor(
    async () => {
      const open = db.selectFrom('ucp_charges').select('id').where('status', 'in', ['intended', 'reversing'])
      expect(await open.execute()).toEqual([])
    },
    { timeout: 60_000, interval: 250 },
  )

/** Nobody paid without a booking, and no booking is unpaid. */
async function expectSound() {
  const all = await db.selectFrom('ucp_checkouts').select(['id', 'status']).execute()
  for (const { id, status } of all) {
    const booked = await bookingsOf(id)
    expect([id, status, booked.length, await kept(id)]).toEqual(
      status === 'completed' ? [id, status, 1, 12_000] : [id, status, 0, 0],
    )
  }
  const taken = stripe.intents.reduce((sum, { amount_received }) => sum + amount_received, 0)
  const returned = stripe.refunds.reduce((sum, { amount }) => sum + amount, 0)
  expect(taken - returned).toBe(12_000 * all.filter(({ status }) => status === 'completed').length)
  expect((await verify(db, new Date())).findings.listed).toEqual([])
}

const moments: [name: string, reached: () => Promise<unknown>][] = [
  ['before the charge is stored', () => proxy.lose('the COMMIT', 'insert into ucp_charges')],
  ['after the charge is stored', () => proxy.lose('its answer', 'insert into ucp_charges')],
  ['after Stripe made the PaymentIntent', () => executed(/payment_intents$/)],
  ['before the id of the PaymentIntent is stored', () => proxy.lose('the COMMIT', 'ucp_charges set reference')],
  ['after the id of the PaymentIntent is stored', () => proxy.lose('its answer', 'ucp_charges set reference')],
  ['after Stripe took the money', () => executed(/confirm$/)],
  ['before the booking is stored', () => proxy.lose('the COMMIT', 'insert into "payments"')],
  ['after the booking is stored', () => proxy.lose('its answer', 'insert into "payments"')],
]

/** Money was taken then, so there must be a booking. */
const PAID = /took the money|booking is stored/

test.each(moments)('[LIV-115] a server that was killed %s settles the checkout on a retry', async (name, reached) => {
  const { id, complete } = await newCheckout()
  const moment = reached()
  const unanswered = expect(complete()).rejects.toThrow()
  await moment
  await killAndRestart()
  await unanswered
  const answer = await vi.waitFor(
    async () => {
      const { status, ...more } = await complete()
      if (status === 'complete_in_progress') throw new Error('It is still in progress')
      return { status, ...more }
    },
    { timeout: 60_000, interval: 500 },
  )
  await settled()
  // Where Stripe can say that nothing was taken, the server says so. The platform then completes with a new key.
  const codes = (answer.messages ?? []).map(({ code }: { code: string }) => code)
  expect([answer.status, codes]).toEqual(
    answer.status === 'completed' ? ['completed', []] : ['ready_for_complete', ['payment_failed']],
  )
  if (PAID.test(name)) expect(answer.status).toBe('completed')
  expect(await bookingsOf(id)).toHaveLength(answer.status === 'completed' ? 1 : 0)
  await expectSound()
})

test.each(moments)(
  '[LIV-115] a server that was killed %s leaves a charge that the next one settles',
  async (_, reached) => {
    const { complete } = await newCheckout()
    const moment = reached()
    const unanswered = expect(complete()).rejects.toThrow()
    await moment
    await killAndRestart()
    await unanswered
    await settled()
    await expectSound()
  },
)

test(
  'a server or a database that is killed at any time never leaves a charge without a booking, or a booking without a charge',
  async () => {
    for (let round = 0; round < KILLS; round++) {
      const { complete } = await newCheckout()
      const call = complete().catch(() => {})
      await setTimeout(Math.random() * COMPLETION_MS)
      if (round % 2) await killAndRestart()
      else await postgres.stop('immediate')
      await call
      await vi.waitFor(isReady, { timeout: 60_000, interval: 250 })
    }
    await settled()
    await expectSound()
  },
  120_000 + KILLS * 15_000,
)
