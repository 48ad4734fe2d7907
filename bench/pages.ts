/**
 * Measures the response time of each booking page and form with 20 visitors at once. Compares it with a minimal server
 * that reads 50 rows. In one test, each visitor presses a button once a second. In the other test, they continue
 * without a pause, and most of the time is waiting. All visitors want the same three staff members and the same
 * waitlist, so they wait for the same locks. The form that mails a sign-in link is not included. It answers after a
 * fixed time, to reveal nothing.
 */
import type { BusinessDefinition, ServiceDefinition } from '../src/protocol/types.generated.ts'
import { linkIn, open, page, timeButtons } from './support/browser.ts'
import { checkTarget } from './support/check-target.ts'
import { type FireResult, fireAll, median, type PreparedRequest, spreadAll } from './support/load.ts'
import { day, fillCalendar, salon, service } from './support/salon.ts'
import { openStage } from './support/stage.ts'
import { bookOnce, type FireThem, signIn, walk } from './support/visitors.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
const CONNECTIONS = 20
const withoutPause: FireThem = (origin, shots, status) => fireAll(origin, shots, status, CONNECTIONS)
const byPeople: FireThem = (origin, shots, status) => spreadAll(origin, shots, status, CONNECTIONS)
const VISITORS = Number(process.env.BENCH_VISITORS ?? 200)
const MOST = 60
const BOOKED_BY_ROSA = 5

const base = salon()
const definition: BusinessDefinition = {
  ...base,
  services: [...base.services, paidBefore(service('svc_paid', ['staff_4'])), full(service('svc_class', []))],
}
const stage = await openStage()
const shop = await stage.serve('pages', definition, { TRUST_PROXY: '127.0.0.1' })
const { origin } = shop
const bare = await stage.serveBare()
await fillCalendar(shop.db, 1_000)

// The days are far in the future, so holds do not change the measured pages. Three stylists offer each time, so
// visitors can book each time three times.
const days = Array.from({ length: 45 }, (_, index) => day(40 + index))
const once = await timeButtons(origin, 'svc_cut', days)
const free = [...once, ...once, ...once]
if (free.length < 2 * VISITORS * (2 * ROUNDS + 1)) throw new Error(`${free.length} times are too few`)
const take = (count: number) => free.splice(0, count)

await Promise.all(take(BOOKED_BY_ROSA).map((button) => bookOnce(origin, button, 'rosa')))
const cookie = await signIn(origin, 'rosa')
const [unpaid] = await timeButtons(origin, 'svc_paid', [day(1)])
const [seats] = await timeButtons(origin, 'svc_class', [day(2)])
if (!unpaid || !seats) throw new Error('there is nothing to pay for or to wait for')
const payment = await bookOnce(origin, unpaid, 'rosa')
await bookOnce(origin, seats, 'rosa')
const queue = linkIn(await open(origin, page(`/book/svc_class?day=${seats.day}`)), '/waitlist')

const YEAR = { service_id: 'svc_cut', start_date: '2026-01-01', end_date: '2027-01-01' }
const bareShot: PreparedRequest = {
  method: 'POST',
  path: '/query',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(YEAR),
}

async function round(fireThem: FireThem): Promise<Record<string, FireResult>> {
  const often = (where: string, shot: PreparedRequest) => fireThem(where, Array(VISITORS).fill(shot), 200)
  const getOften = (path: string, more = {}) => {
    const { headers, ...shot } = page(path)
    return often(origin, { ...shot, headers: { ...headers, ...more } })
  }
  const [buttons, moveTo] = [take(VISITORS), take(VISITORS)]
  return {
    'bare Fastify and pg, 50 rows': await often(bare, bareShot),
    services: await getOften('/book'),
    'a service and its times': await getOften('/book/svc_cut'),
    ...(await walk(origin, { buttons, moveTo, queue, fireThem })),
    paying: await getOften(payment),
    'what one has booked': await getOften('/my', { cookie }),
  }
}
await round(withoutPause)
const [without, people]: [Record<string, FireResult>[], Record<string, FireResult>[]] = [[], []]
for (let count = 0; count < ROUNDS; count++) {
  without.push(await round(withoutPause))
  people.push(await round(byPeople))
}
await stage.close()

for (const name of Object.keys(people[0] ?? {})) {
  const medianOf = (rounds: typeof people, what: keyof FireResult) =>
    median(rounds.map((one) => one[name]?.[what] ?? 0))
  const most = `${medianOf(without, 'rate').toFixed(0)}/s, p99 ${medianOf(without, 'p99')} ms`
  if (name.startsWith('bare')) console.log(`${name}, by people p99: ${medianOf(people, 'p99')} ms`)
  else checkTarget(`${name}, by people p99`, medianOf(people, 'p99'), { under: MOST }, 'ms')
  console.log(`  without a pause ${most}`)
}

function paidBefore(one: ServiceDefinition): ServiceDefinition {
  return { ...one, policies: { ...one.policies, payment_timing: 'at_booking' as const } }
}

/** Changes a service to a class with one place a day. Its waitlist is never full. */
function full({ resources: _, ...one }: ServiceDefinition): ServiceDefinition {
  const sessions = [{ days: base.hours?.[0]?.days ?? [], starts: '10:00' }]
  const line = { capacity: { max: 1, waitlist: true }, waitlist: { limit: 5_000 } }
  return { ...one, ...line, type: 'group', sessions }
}
