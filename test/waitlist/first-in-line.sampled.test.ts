import { expect, test as sequential } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { sampling } from '../support/case-sampling.ts'
import { freshDatabase } from '../support/database.ts'
import { type Desk, mcpDesk, restDesk, testShop } from '../support/desk.ts'
import { stripeStandIn } from '../support/stripe.ts'
import { doors, salon, type Tools } from './doors.ts'
import { person } from './queue.ts'

/** Each case has a shop of its own. */
const test = sequential.concurrent

/** `USP_LINE_ROUNDS=50 npx vitest run test/waitlist/first-in-line` for the long form. */
const ROUNDS = Number(process.env.USP_LINE_ROUNDS ?? 1)
/** What each stranger still tries when the first in line has got it. */
const MORE = 3
/** Milliseconds: a server may go on with the old definition for one or two, and a busy machine takes its time. Strangers try as long. */
const OFFER_TIMEOUT_MS = 60_000
const WEEKS = { start_date: '2026-11-24', end_date: '2026-12-23' }

const cases = doors.flatMap((door) => door.services.map((id) => ({ ...door, what: `${door.what} (${id})`, id })))

/** Nothing is swept here, and nobody looks after the waitlist in the background: what was promised holds without. */
test.each(sampling()(cases))('[WTL-028] [WTL-031] [WTL-050] [first in line, whatever frees it] $what', async (door) => {
  const databaseUrl = await freshDatabase()
  const stripe = await stripeStandIn()
  const env = { ...stripe.env, BASE_URL: 'https://book.example' }
  const definition = door.what.includes('money') ? { ...salon, payments: { provider: 'stripe' as const } } : salon
  const one = await testShop(definition, { databaseUrl, env })
  const two = await testShop(definition, { databaseUrl, env })
  stripe.now = () => one.time.now.getTime() / 1000
  const desk = restDesk(one)
  const tools: Tools = {
    desk,
    shop: one,
    stripe,
    staff: (what, input) => desk.call(`usp_business_${what}`, { ...input }, { as: one.staff }),
    minutesLater(minutes) {
      one.minutesLater(minutes)
      two.time.now = one.time.now
    },
  }
  const call = async (what: string, input: object) => (await desk.call(`usp_waitlist_${what}`, { ...input })).data
  const entry = async (entry_id: string) => (await call('get', { entry_id })).entry
  const slots = await desk.slots(door.id, WEEKS)
  const others = await desk.slots('svc_other', WEEKS)

  for (let round = 0; round < ROUNDS; round++) {
    const slot = slots[round]
    const rival = others.find(({ start }) => start === slot.start)
    const taken = await door.take(tools, slot)
    const day = slot.start.slice(0, 10)
    const wish = door.forDay ? { preferred_slots: [{ start_date: day, end_date: day }] } : { slot_id: slot.id }
    const join = async (name: string) =>
      (await call('join', { service_id: door.id, buyer: person(`${name}${round}`), ...wish })).entry
    const [first, second] = [await join('First'), await join('Second')]
    expect([first.status, second.status]).toEqual(['waiting', 'waiting'])

    let isOver = false
    const got: unknown[] = []
    const seen = new Set<string>()
    const stranger = async (at: Desk, nth: number) => {
      for (let more = MORE; more > 0; more -= isOver ? 1 : 0) {
        const wanted = nth === 3 && rival && !door.id.includes('class') ? rival : slot
        const { data } =
          nth % 2 ? await at.book(wanted, {}, { as: one.other }) : await at.hold(wanted, {}, { as: two.other })
        if (data.booking ?? data.hold) got.push(data)
        if (nth > 0) continue
        for (const { id, state } of await at.slots(door.id, { start_date: day, end_date: day }))
          if (id === slot.id && taken) seen.add(state)
      }
    }
    const hammering = [restDesk(two), restDesk(one), mcpDesk(one), mcpDesk(two)].map(stranger)
    await door.free(tools, taken, slot)
    for (
      const until = Date.now() + OFFER_TIMEOUT_MS;
      (await entry(first.id)).status === 'waiting' && Date.now() < until;
    );
    isOver = true
    await Promise.all(hammering)

    expect(got).toEqual([])
    expect(await entry(first.id)).toMatchObject({ status: 'offered', offered_slot: { slot_id: slot.id } })
    expect((await entry(second.id)).status).toBe('waiting')
    if (!door.shownAtOnce) expect([...seen]).not.toContain('available')
    expect((await call('accept', { entry_id: first.id })).booking).toMatchObject({ slot: { id: slot.id } })
    await call('leave', { entry_id: second.id })
  }
  expect((await verify(one.runtime.db, one.time.now)).findings.listed).toEqual([])
  const logged = [...one.logged, ...two.logged]
  // That a busy machine has no time for somebody is no fault of the line.
  const faults = logged.filter(
    (text) => /40P01|deadlock|"level":50/.test(text) && !text.includes('service_unavailable'),
  )
  expect(faults).toEqual([])
})
