import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
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
import { killSteps, type Started, type Step } from './kill-steps.ts'
import { repeatingPlatform } from './repeating-platform.ts'
import { paid, ucpDefinition, ucpPlatform } from './ucp-shop.ts'

const PRICE = 12_000

const postgres = await ownPostgres(afterAll)
const proxy = await openPostgresProxy(postgres.url)
const db = openDatabase(postgres.url, 2, () => {})
const definition = ucpDefinition([paid], { payments: { provider: 'stripe' }, limits: generousLimits })
await applyDefinition(db, definition, new Date())
const stripe = await stripeStandIn()
const published = await testPlatform()
published.profile = ucpPlatform()
const { key: bearer } = await addClient(db, 'Known', new Date())
const folder = mkdtempSync(join(tmpdir(), 'usp-killed-'))
const port = await freePort()
const platform = repeatingPlatform({ port, profile: published.url, bearer })

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

let killed = Promise.withResolvers<void>()
const steps = killSteps({ stripe, proxy, platform, killed: () => killed.promise })

/** How often the server or PostgreSQL is killed. By default, each step is hit in all four ways (see `planOf`). */
const KILLS = Number(process.env.USP_KILLS ?? 4 * steps.length)

const victims = {
  async server() {
    running.process.kill('SIGKILL')
    await running.ended
  },
  PostgreSQL: () => postgres.stop('immediate'),
}

/** Rejects while the server is not ready, for example without its database. */
const isReady = async () => expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)

/** The first lease of a charge is as long as the slowest answer of Stripe. Here it ends with the call. */
const endLeases = () =>
  db
    .updateTable('ucp_charges')
    .set({ leased_until: null, next_at: new Date() })
    .where('status', 'in', ['intended', 'requires_action', 'reversing'])
    .execute()

/** The buyers at the bank confirm their payment, or decline it. */
function decideAtBank() {
  for (const intent of stripe.intents)
    if (intent.status === 'requires_action') stripe.confirmAtBank(intent, randomInt(2) === 0)
}

const isSettled = async () => {
  const open = db.selectFrom('ucp_charges').select('id')
  expect(await open.where('status', 'in', ['intended', 'requires_action', 'reversing']).execute()).toEqual([])
  const waiting = db.selectFrom('ucp_checkouts').select('id').where('status', 'in', ['completing', 'escalated'])
  expect(await waiting.execute()).toEqual([])
}

const patience = { timeout: 90_000, interval: 100 }

/** Repeats a call until the server has settled it. */
async function repeat({ kind, ask }: Started, { name }: Step) {
  const { status, messages = [] } = await vi.waitFor(async () => {
    const answer = await ask()
    expect(['complete_in_progress', 'requires_escalation']).not.toContain(answer.status)
    return answer
  }, patience)
  if (kind === 'cancel') return expect(['canceled', 'completed']).toContain(status)
  const reason = name.startsWith('reversal') ? 'slot_unavailable' : 'payment_failed'
  const isRefused = kind === 'complete' && status !== 'completed'
  return expect(messages.map(({ code }) => code)).toEqual(isRefused ? [reason] : [])
}

/** The money that Stripe took and did not give back. */
function kept(isMeant: (intent: string) => boolean = () => true) {
  const taken = stripe.intents.filter(({ id }) => isMeant(id))
  const returned = stripe.refunds.filter(({ payment_intent }) => isMeant(payment_intent))
  return (
    taken.reduce((sum, { amount_received }) => sum + amount_received, 0) -
    returned.reduce((sum, { amount }) => sum + amount, 0)
  )
}

interface CheckoutBooks {
  id: string
  status: string
  bookings: number
  received: number
  references: string[]
}

const books = async () => {
  const { rows } = await sql<CheckoutBooks>`
    select k.id, k.status,
      (select count(*) from bookings b where b.id = k.booking_id)::integer as bookings,
      (select coalesce(sum(amount - returned), 0) from payments p where p.booking_id = k.booking_id)::integer as received,
      array(select reference from ucp_charges c where c.checkout_id = k.id and reference is not null) as references
    from ucp_checkouts k`.execute(db)
  return rows
}

/** No charge is without its booking, no paid booking without its charge, and the platform knows each completion. */
async function expectSound() {
  const rows = await books()
  for (const { id, status, bookings, received, references } of rows) {
    const money = kept((intent) => references.includes(intent))
    const [isBooked, price] = status === 'completed' ? [1, PRICE] : [0, 0]
    expect({ id, status, bookings, received, money }).toEqual({
      id,
      status,
      bookings: isBooked,
      received: price,
      money: price,
    })
  }
  const completed = rows.filter(({ status }) => status === 'completed').map(({ id }) => id)
  expect(kept()).toBe(PRICE * completed.length)
  const toldCompleted = [...platform.told].filter(([, status]) => status === 'completed').map(([id]) => id)
  expect(toldCompleted.toSorted()).toEqual(completed.toSorted())
  expect((await verify(db, new Date())).findings.listed).toEqual([])
}

/** A checkout that is open after all this can still be bought. */
const buy = async (id: string) =>
  expect((await platform.complete(id, stripe.grant().id).ask()).status).toBe('completed')

async function killAt(step: Step, victim: keyof typeof victims, isRepeated: boolean) {
  const before = new Set(platform.told.keys())
  killed = Promise.withResolvers()
  const calls = await step.reach()
  await victims[victim]()
  killed.resolve()
  const [answer] = await Promise.all(calls.map(({ ended }) => ended))
  if (victim === 'server') expect(answer).toBeUndefined()
  decideAtBank()
  if (victim === 'server') running = await serve()
  await vi.waitFor(isReady, patience)
  await endLeases()
  if (isRepeated) for (const call of calls) await repeat(call, step)
  await vi.waitFor(isSettled, patience)
  const own = [...platform.told.keys()].filter((id) => !before.has(id))
  for (const id of own) await platform.read(id)
  await expectSound()
  const [first = ''] = own
  if (step.settles && first !== '') {
    const shown = step.settles === 'open' ? ['ready_for_complete', 'incomplete'] : ['completed']
    expect(shown).toContain(platform.told.get(first))
  }
  for (const id of own) if (platform.told.get(id) === 'ready_for_complete') await buy(id)
}

/** In four cycles, each step is hit by both victims, once with and once without a platform that repeats its call. */
function planOf(round: number) {
  const turn = (round % steps.length) + Math.floor(round / steps.length)
  const victim: keyof typeof victims = turn % 2 ? 'PostgreSQL' : 'server'
  return { step: steps[round % steps.length], victim, isRepeated: Math.floor(turn / 2) % 2 === 0 }
}

test(
  '[LIV-113] [LIV-114] [LIV-115] a server or a database that is killed at any step leaves no charge without a booking, and no booking without its charge',
  async () => {
    const kills = new Map<string, { server: number; PostgreSQL: number }>()
    for (let round = 0; round < KILLS; round++) {
      const { step, victim, isRepeated } = planOf(round)
      if (!step) throw new Error('There is no step')
      const told = `round ${round}: ${step.name}, ${victim}, ${isRepeated ? 'repeated' : 'not repeated'}`
      await killAt(step, victim, isRepeated).catch((error: Error) => {
        error.message = `${told}: ${error.message}`
        throw error
      })
      const count = kills.get(step.name) ?? { server: 0, PostgreSQL: 0 }
      kills.set(step.name, { ...count, [victim]: count[victim] + 1 })
    }
    await expectSound()
    const perStep = [...kills].map(([name, { server, PostgreSQL }]) => `${name}: ${server} + ${PostgreSQL}`)
    console.log(`${KILLS} kills (server + PostgreSQL): ${perStep.join('; ')}`)
    const command = usp(['verify'], { DATABASE_URL: postgres.url })
    expect([await command.ended, command.output()]).toEqual([0, expect.stringContaining('no money is missing')])
  },
  120_000 + KILLS * 30_000,
)
