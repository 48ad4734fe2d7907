/**
 * Measures the command `usp apply`, which stores a new business definition. The business is a gym with 21,000 class
 * times, and the command alternates between two timetables. Meanwhile buyers book places in the classes. Reports failed
 * applies, their duration, and the longest wait of a buyer.
 */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pass } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { checkTarget } from './support/check-target.ts'
import { gym } from './support/gym.ts'
import { median, type PreparedRequest } from './support/load.ts'
import { openPlatform } from './support/platform.ts'
import { bookingsOf, callWithEachKey, type Slot, slotsOf } from './support/salon.ts'
import { openStage } from './support/stage.ts'

const APPLIES = Number(process.env.BENCH_APPLIES ?? 8)
/** The number of bookings in a second. */
const RATE = 20
const BETWEEN = 3
const [SERVICES, DAYS] = [67, 60]
const KEYS = 50

const before = gym({ services: SERVICES, days: DAYS, starts: [0, 60, 120, 180, 240] })
/** The second timetable: one of five classes starts at another time, and the other classes have more places. */
const after = gym({ services: SERVICES, days: DAYS, starts: [0, 60, 120, 180, 230], capacity: 60 })

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

interface Outcome {
  status: number
  milliseconds: number
}

const stage = await openStage()
const platform = await openPlatform(KEYS)
try {
  const served = await stage.serve('gym', before)
  const isComplete = 'select version = sessions_version as complete from business'
  while (!(await served.db.query(isComplete)).rows[0].complete) await pass(500)
  const { rows } = await served.db.query('select count(*)::integer as count from sessions')
  console.log(`${rows[0].count} class times, ${RATE} bookings a second, ${APPLIES} applies`)
  await callWithEachKey(served, platform)
  const slots = shuffled(await slotsOf(served, before.services, SERVICES * 250))
  const files = [after, before].map((definition, nth) => {
    const file = join(tmpdir(), `usp-bench-gym-${process.pid}-${nth}.json`)
    writeFileSync(file, JSON.stringify(definition))
    return file
  })
  const booking = keepBooking(served.origin, slots)
  const applied: { code: number | null; seconds: number; err: string }[] = []
  for (let nth = 0; nth < APPLIES; nth++) {
    await pass(BETWEEN * 1000)
    applied.push(await apply(files[nth % 2] ?? '', stage.urlOf('gym')))
  }
  await pass(BETWEEN * 1000)
  const booked = await booking.end()
  for (const { code, seconds, err } of applied)
    console.log(`apply ended with ${code} after ${seconds.toFixed(1)} s${err && `: ${err.trim().split('\n')[0]}`}`)
  const counts = Map.groupBy(booked, ({ status }) => status)
  console.log(`bookings: ${[...counts].map(([status, all]) => `${all.length} answered ${status}`).join(', ')}`)
  console.log(`an apply took ${median(applied.map(({ seconds }) => seconds)).toFixed(1)} s (median)`)
  checkTarget('applies that failed', applied.filter(({ code }) => code !== 0).length, { atMost: 0 })
  checkTarget('bookings answered 503', counts.get(503)?.length ?? 0, { atMost: 0 })
  checkTarget(
    'longest wait of a booking',
    Math.max(...booked.map(({ milliseconds }) => milliseconds)),
    { atMost: 1000 },
    'ms',
  )
} finally {
  platform.close()
  await stage.close()
}

/** Makes bookings at a fixed rate until the caller calls `end`. Ignores errors. */
function keepBooking(origin: string, slots: Slot[]) {
  const sent: Promise<Outcome[]>[] = []
  const timer = setInterval(() => {
    // The platform signs each request just before it sends the request, because a signature expires after minutes.
    const shots = bookingsOf(slots.splice(0, 1), { ...platform, keys: shuffled(platform.keys) }, { origin })
    sent.push(shots.then((signed) => Promise.all(signed.map(one))))
  }, 1000 / RATE)
  const one = async ({ path, headers, body = '' }: PreparedRequest): Promise<Outcome> => {
    const begun = performance.now()
    const status = await fetch(origin + path, { method: 'POST', headers, body }).then(
      async (answer) => {
        await answer.text()
        return answer.status
      },
      () => 0,
    )
    return { status, milliseconds: performance.now() - begun }
  }
  return {
    async end() {
      clearInterval(timer)
      return (await Promise.all(sent)).flat()
    },
  }
}

async function apply(file: string, DATABASE_URL: string) {
  const begun = performance.now()
  const env = { PATH: process.env.PATH, DATABASE_URL, USP_DATA_DIR: tmpdir() }
  const child = spawn(process.execPath, [main, 'apply', file], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [code, err] = await Promise.all([ended, text(child.stderr)])
  return { code, err, seconds: (performance.now() - begun) / 1000 }
}

function shuffled<T>(all: T[]): T[] {
  const drawn = all.map((one) => ({ one, lot: Math.random() }))
  return drawn.sort((a, b) => a.lot - b.lot).map(({ one }) => one)
}
