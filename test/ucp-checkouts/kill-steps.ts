import { randomInt } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'vitest'
import type { PostgresProxy } from '../support/postgres-proxy.ts'
import type { GrantedToken, StripeStandIn } from '../support/stripe.ts'
import type { Call, RepeatingPlatform, Told } from './repeating-platform.ts'

/** A call that has started. `ended` resolves with its answer, or with undefined if it failed. */
export interface Started extends Call {
  ended: Promise<Told | undefined>
}

export interface Step {
  name: string
  /** Resolves when the server has reached the step. The server then waits for Stripe or for PostgreSQL, or is idle. */
  reach: () => Promise<Started[]>
  /** The status of the checkout after the settlement. Without it, the checkout is open or has ended. */
  settles?: 'open' | 'completed'
}

const refusedTokens: Partial<GrantedToken>[] = [
  { max_amount: 11_999 },
  { currency: 'eur' },
  { expires_at: 1 },
  { revoked: true },
  { card: 'declined' },
]

interface World {
  stripe: StripeStandIn
  proxy: PostgresProxy
  platform: RepeatingPlatform
  /** Resolves when the process of this round is killed. */
  killed: () => Promise<unknown>
}

/** Every step of a checkout at which a process can die. */
export function killSteps({ stripe, proxy, platform, killed }: World): Step[] {
  const refusedToken = () => stripe.grant(refusedTokens[randomInt(refusedTokens.length)]).id
  const goodToken = () => stripe.grant().id
  const anyToken = () => (randomInt(2) ? goodToken() : refusedToken())
  const bankToken = () => stripe.grant({ card: 'asks_buyer' }).id

  /** A new checkout. For one of three, Stripe has already refused a token. */
  async function open() {
    const slot = await platform.freeSlot()
    const { id, booking } = await platform.create(slot).ask()
    if (randomInt(3) === 0) {
      const { status, messages } = await platform.complete(id, refusedToken()).ask()
      expect([status, messages?.map(({ code }) => code)]).toEqual(['ready_for_complete', ['payment_failed']])
    }
    return { id, slot, hold: booking.hold_id }
  }

  const start = (call: Call): Started => ({ ...call, ended: call.ask().catch(() => undefined) })

  /** Starts a call, and resolves at the moment that the caller has prepared. */
  async function until(moment: Promise<unknown>, call: Call): Promise<Started[]> {
    const started = start(call)
    const late = setTimeout(60_000, undefined, { ref: false }).then(() =>
      Promise.reject(new Error('It is not reached')),
    )
    await Promise.race([moment, late])
    return [started]
  }

  /** Resolves when Stripe has executed such a request. Its answer comes after the kill. */
  const executed = (method: string, path: RegExp) =>
    new Promise<void>((resolve) => {
      stripe.beforeAnswer = async (asked) => {
        if (asked.method !== method || !path.test(asked.path)) return
        stripe.beforeAnswer = async () => {}
        resolve()
        await killed()
      }
    })
  const confirmed = () => executed('POST', /confirm$/)
  const beforeCommit = (word: string) => proxy.lose('the COMMIT', word)
  const beforeAnswer = (word: string) => proxy.lose('its answer', word)

  const paying = async (token: () => string, moment: () => Promise<unknown>) => {
    const { id } = await open()
    return until(moment(), platform.complete(id, token()))
  }
  const updating = async (moment: (word: string) => Promise<unknown>) => {
    const { id } = await open()
    const slot = await platform.freeSlot()
    return until(moment(UPDATE), platform.update(id, slot))
  }
  const canceling = async (moment: (word: string) => Promise<unknown>) => {
    const { id } = await open()
    return until(moment(UPDATE), platform.cancel(id))
  }

  /** While Stripe takes the money, another checkout takes the slot. The money must go back. */
  const reversing = async (moment: () => Promise<unknown>) => {
    const { id, slot, hold } = await open()
    const reached = new Promise((resolve) => {
      stripe.beforeAnswer = async ({ path }) => {
        if (!path.endsWith('/confirm')) return
        stripe.beforeAnswer = async () => {}
        await platform.release(hold)
        await platform.create(slot).ask()
        resolve(moment())
      }
    })
    return until(reached, platform.complete(id, goodToken()))
  }

  const atBank = async () => {
    const { id } = await open()
    const call = platform.complete(id, bankToken())
    expect((await call.ask()).status).toBe('requires_escalation')
    return { id, call: { ...call, ended: Promise.resolve(undefined) } }
  }

  const [CREATE, UPDATE] = ['insert into "ucp_checkouts"', 'update "ucp_checkouts" set']
  const [CHARGE, REFERENCE] = ['insert into ucp_charges', 'ucp_charges set reference']
  const [BOOKING, RETURN] = ['insert into "payments"', 'return_payment']

  const created = async (moment: (word: string) => Promise<unknown>) => {
    const slot = await platform.freeSlot()
    return until(moment(CREATE), platform.create(slot))
  }

  return [
    { name: 'create, before the commit', reach: () => created(beforeCommit), settles: 'open' },
    { name: 'create, before the answer', reach: () => created(beforeAnswer), settles: 'open' },
    { name: 'update, before the commit', reach: () => updating(beforeCommit), settles: 'open' },
    { name: 'update, before the answer', reach: () => updating(beforeAnswer), settles: 'open' },
    { name: 'before the charge is stored', reach: () => paying(anyToken, () => beforeCommit(CHARGE)) },
    { name: 'before Stripe is asked', reach: () => paying(anyToken, () => beforeAnswer(CHARGE)) },
    { name: 'after Stripe made the charge', reach: () => paying(anyToken, () => executed('POST', /payment_intents$/)) },
    { name: 'before the id of Stripe is stored', reach: () => paying(anyToken, () => beforeCommit(REFERENCE)) },
    { name: 'before the money is asked for', reach: () => paying(anyToken, () => beforeAnswer(REFERENCE)) },
    { name: 'after Stripe refused the token', reach: () => paying(refusedToken, confirmed), settles: 'open' },
    {
      name: 'before the refusal is stored',
      reach: () => paying(refusedToken, () => beforeCommit(UPDATE)),
      settles: 'open',
    },
    { name: 'after Stripe took the money', reach: () => paying(goodToken, confirmed), settles: 'completed' },
    {
      name: 'before the booking commits',
      reach: () => paying(goodToken, () => beforeCommit(BOOKING)),
      settles: 'completed',
    },
    {
      name: 'after the booking commits',
      reach: () => paying(goodToken, () => beforeAnswer(BOOKING)),
      settles: 'completed',
    },
    { name: 'reversal, before it is stored', reach: () => reversing(() => beforeCommit(RETURN)), settles: 'open' },
    { name: 'reversal, before the refund', reach: () => reversing(() => beforeAnswer(RETURN)), settles: 'open' },
    {
      name: 'reversal, after the refund',
      reach: () => reversing(() => executed('POST', /refunds$/)),
      settles: 'open',
    },
    { name: 'at the bank, before it is stored', reach: () => paying(bankToken, confirmed) },
    { name: 'at the bank', reach: async () => [(await atBank()).call] },
    { name: 'cancel, before the commit', reach: () => canceling(beforeCommit) },
    { name: 'cancel, before the answer', reach: () => canceling(beforeAnswer) },
    {
      name: 'cancel during complete',
      async reach() {
        const { id } = await open()
        const started = await until(confirmed(), platform.complete(id, goodToken()))
        const canceled = start(platform.cancel(id))
        await setTimeout(randomInt(40))
        return [...started, canceled]
      },
      settles: 'completed',
    },
    {
      name: 'cancel at the bank',
      async reach() {
        const { id } = await atBank()
        return until(executed('POST', /cancel$/), platform.cancel(id))
      },
    },
  ]
}
