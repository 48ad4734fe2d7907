/**
 * Measures how long 200 calendars of 500 events each are read: the first time, without changes, and after changes. Half
 * of them are calendar files, and half are accounts at Google. A hundred events of each calendar repeat every week, so
 * there are more than a million busy times. Meanwhile callers ask for free times. Then it measures how long a change
 * takes after a push, and what hostile calendars cost.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pass } from 'node:timers/promises'
import { addStaff } from '../src/core/authentication/staff-members.ts'
import { openDatabase } from '../src/infra/db/database.ts'
import type { Order, Push } from './support/calendar-provider.ts'
import { checkTarget } from './support/check-target.ts'
import { peakMegabytesOf, peaksOfChildren, serverPids } from './support/cpu-time.ts'
import { delaysOf } from './support/event-loop.ts'
import { fireAtRate, quantile } from './support/load.ts'
import { business, service, staff, timesQuery } from './support/salon.ts'
import { openStage, type Served } from './support/stage.ts'

const SOURCES = Number(process.env.BENCH_SOURCES ?? 200)
const PUSHES = Number(process.env.BENCH_PUSHES ?? 20)
/** The number of people. Each person has several calendars. */
const PEOPLE = 50
/** The number of queries in a second while the server reads calendars. */
const RATE = 10
const POLL_MS = 20

const provider = fork(new URL('./support/calendar-provider.ts', import.meta.url))
const [{ port }] = await once(provider, 'message')
const PROVIDER = `https://127.0.0.1:${port}`
const tell = (order: Order) => provider.send(order)

const { limits, ...salon } = business([service('svc_cut', staff(3))], PEOPLE)
const stage = await openStage()
try {
  const env = { GOOGLE_API_BASE: PROVIDER, BASE_URL: 'https://salon.example', LOG_LEVEL: 'error' }
  const server = await stage.serve('calendars', { ...salon, limits: { ...limits, staff: 1_000_000 } }, env)
  const { db, origin } = server
  const call = await callsOfManager(server)
  const query = () => timesQuery('svc_cut', 7)
  await fireAtRate(origin, query, RATE, 5)
  await connectAll()

  await measured('first read', [], { atMost: 60 })
  const { rows } = await db.query('select count(*)::integer as count from busy_times')
  console.log(`${rows[0].count} busy times`)
  await measured('read without changes', [], { atMost: 5 })
  const all = Array.from({ length: SOURCES }, (_, nth) => nth)
  const accounts = all.filter((nth) => nth % 2 === 1)
  await measured('read after a change of each account', accounts, { atMost: 5 })
  const some = all.filter((nth) => nth % 10 === 0)
  await measured('read after a change of every fifth file', some, { atMost: 5 })
  await measurePushes(accounts.slice(0, PUSHES))
  await measureHostile(['large', 'rules', 'events', 'drip'])

  /** Connects all calendars. Until then, none of them is due. */
  async function connectAll() {
    await db.query(`
      create function be_later() returns trigger language plpgsql as
        $$ begin new.next_at := now() + interval '1 day'; return new; end $$;
      create trigger later before insert on calendar_sources for each row execute function be_later()`)
    await call('PUT', '/calendar_apps', { provider: 'google', client_id: 'bench', client_secret: 'bench' })
    for (let nth = 0; nth < SOURCES; nth++) {
      const access =
        nth % 2 === 0
          ? { address: `${PROVIDER}/file/${nth}` }
          : { account: { provider: 'google', refresh_token: `account-${nth}` } }
      await connectOne(`${nth}`, access, nth)
    }
    await db.query('drop trigger later on calendar_sources')
  }

  async function connectOne(name: string, access: object, nth: number) {
    await call('POST', '/connected_calendars', { resource_id: `staff_${1 + (nth % PEOPLE)}`, name, ...access })
  }

  /** Measures how long a read of all calendars takes after these have changed, while callers ask for free times. */
  async function measured(what: string, changed: number[], seconds: { atMost: number }) {
    tell({ change: changed })
    let isReading = true
    await delaysOf(server)
    const begun = performance.now()
    await db.query('update calendar_sources set next_at = now(), read_at = null')
    const asked = askWhile(() => isReading)
    await until(async () => {
      const { rows } = await db.query('select count(*)::integer as count from calendar_sources where read_at is null')
      return rows[0].count === 0
    })
    const took = performance.now() - begun
    const { p99 } = await delaysOf(server)
    isReading = false
    checkTarget(what, took / 1000, seconds, 's')
    checkTarget('  event loop delay p99', p99, { atMost: 30 }, 'ms')
    const { taken, failed } = await asked
    console.log(
      `  queries meanwhile: p50 ${quantile(taken, 0.5).toFixed(0)} ms, p99 ${quantile(taken, 0.99).toFixed(0)} ms`,
    )
    checkTarget('  not answered', failed, { atMost: 0 })
  }

  async function askWhile(isGoingOn: () => boolean) {
    const results = { taken: [] as number[], failed: 0 }
    do {
      const { taken, failed } = await fireAtRate(origin, query, RATE, 1)
      results.taken.push(...taken)
      results.failed += failed
    } while (isGoingOn())
    return results
  }

  /** Measures the time from the notice about a change until the change is in the database. */
  async function measurePushes(calendars: number[]) {
    const taken: number[] = []
    for (const calendar of calendars) {
      const pushed: Promise<Push[]> = once(provider, 'message')
      tell({ push: calendar })
      const [{ address, headers, start }] = (await pushed) as [Push]
      const begun = performance.now()
      const answer = await fetch(origin + new URL(address).pathname, { method: 'POST', headers })
      if (answer.status !== 204) throw new Error(`A notice was answered with ${answer.status}: ${await answer.text()}`)
      await until(async () => {
        const { rows } = await db.query(
          `select from busy_times b join calendar_sources s on s.id = b.source_id
          where s.name = $1 and lower(b.during) = $2`,
          [`${calendar}`, new Date(start)],
        )
        return rows.length > 0
      })
      taken.push(performance.now() - begun)
    }
    console.log(`a change after a push: p50 ${quantile(taken, 0.5).toFixed(0)} ms`)
    checkTarget('a change after a push, the slowest', Math.max(...taken) / 1000, { atMost: 2 }, 's')
  }

  /** Measures the time and the memory until the desk reports each hostile calendar. */
  async function measureHostile(names: string[]) {
    const [pid = 0] = serverPids()
    const before = peakMegabytesOf(pid)
    const readers = peaksOfChildren(pid)
    await delaysOf(server)
    for (const [nth, name] of names.entries()) await connectOne(name, { address: `${PROVIDER}/hostile/${name}` }, nth)
    const begun = performance.now()
    const reported = new Map<string, number>()
    await until(async () => {
      const { rows } = await db.query(
        'select name, problem, unread_events from calendar_sources where name = any ($1) and (problem is not null or read_at is not null)',
        [names],
      )
      for (const { name, problem, unread_events } of rows) {
        if (reported.has(name)) continue
        reported.set(name, performance.now() - begun)
        console.log(`  ${name}: ${problem ?? `${unread_events} events are not understood`}`)
      }
      return reported.size === names.length
    })
    checkTarget('hostile calendars are reported', Math.max(...reported.values()) / 1000, { atMost: 55 }, 's')
    checkTarget('  event loop delay p99', (await delaysOf(server)).p99, { atMost: 30 }, 'ms')
    checkTarget('  memory of the process of a reader', await readers.end(), { atMost: 400 }, 'MB')
    checkTarget('  more memory of the server', peakMegabytesOf(pid) - before, { atMost: 64 }, 'MB')
  }
} finally {
  provider.disconnect()
  await stage.close()
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 600_000; performance.now() < end; await pass(POLL_MS)) if (await isSo()) return
  throw new Error('It did not end within ten minutes.')
}

/** Returns a function that calls operations of the staff. */
async function callsOfManager({ origin, db: { user, password, host, port, database } }: Served) {
  const db = openDatabase(`postgres://${user}:${password}@${host}:${port}/${database}`, 1, () => {})
  const bearer = await addStaff(db, 'Bench', 'owner', new Date()).finally(() => db.destroy())
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${bearer}` }
  return async (method: 'POST' | 'PUT', path: string, input: object) => {
    const body = JSON.stringify(input)
    const answer = await fetch(`${origin}/usp/v1/business${path}`, { method, headers, body })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  }
}
