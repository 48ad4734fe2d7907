/**
 * A business of 500 people, 200 rooms, 1 000 services and a million bookings, beside a small salon at the same load: how soon
 * it is ready, how long a query for free times takes, what its event loop is kept from and what it takes of memory, all
 * while its hints are made.
 */
import { chain, fillChain, SERVICES } from './support/chain.ts'
import { type Paced, paced } from './support/load.ts'
import { fillCalendar, salon, timesQuery } from './support/salon.ts'
import { openStage, type Served } from './support/stage.ts'

const BOOKINGS = Number(process.env.BENCH_MANY ?? 1_000_000)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 20)
/** Queries a second. */
const RATE = 20

const anyService = () => `svc_${1 + Math.floor(Math.random() * SERVICES)}`

/** What the server says of itself since it was asked last. */
async function readings({ origin }: Served) {
  const metrics = await (await fetch(`${origin}/metrics`)).text()
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)?.[1])
  return {
    delay:
      `event loop delay p99 ${(read('nodejs_eventloop_lag_p99_seconds') * 1000).toFixed(0)} ms, ` +
      `longest ${(read('nodejs_eventloop_lag_max_seconds') * 1000).toFixed(0)} ms`,
    resident: `${(read('process_resident_memory_bytes') / 2 ** 20).toFixed(0)} MB resident`,
  }
}

async function hintsMade({ db }: Served): Promise<number> {
  const { rows } = await db.query(`select count(*)::integer as made from services where hint_basis is not null`)
  return rows[0].made
}

const told = ({ p50, p99, failed }: Paced) =>
  `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms${failed > 0 ? `, ${failed} not answered` : ''}`

const stage = await openStage()
try {
  const small = await stage.serve('small', salon())
  await fillCalendar(small.db, 1_000)
  const week = await paced(small.origin, () => timesQuery('svc_cut', 7), RATE, SECONDS)

  const big = await stage.serve('big', chain())
  await fillChain(big.db, BOOKINGS)
  // As after a day on which everything was booked: all hints are due.
  await big.db.query('update services set hint_basis = null')
  await big.db.query(`delete from housekeeping where job = 'refresh hints'`)
  const ready = await big.restart()
  const begun = performance.now()
  const { failed } = await paced(big.origin, () => timesQuery('svc_1', 7), 1, 1)
  console.log(
    `ready after ${(ready / 1000).toFixed(1)} s (under 5); the first answer ${failed ? 'failed' : 'came'} after ` +
      `${((performance.now() - begun) / 1000).toFixed(1)} s more`,
  )
  await readings(big)

  console.log(`7 days, small   ${told(week)}`)
  const big99: number[] = []
  for (const days of [7, 31]) {
    const before = await hintsMade(big)
    const fired = await paced(big.origin, () => timesQuery(anyService(), days), RATE, SECONDS)
    const { delay } = await readings(big)
    console.log(`${String(days).padEnd(2)} days, big    ${told(fired)}; ${delay} (under 30)`)
    big99.push(fired.p99)
    console.log(`                hints made meanwhile: ${(await hintsMade(big)) - before}`)
  }
  const [seven = 0, month = 0] = big99
  const times = (one: number, other: number) => (one / other).toFixed(1)
  console.log(
    `7 days are ${times(seven, week.p99)} times the small one's (at most 3), 31 days ${times(month, seven)} times 7 (at most 2)`,
  )
  await readings(big)
  await paced(small.origin, () => timesQuery('svc_cut', 7), 1, SECONDS)
  console.log(`no queries      ${(await readings(big)).delay}; ${await hintsMade(big)} hints of ${SERVICES} are made`)
  console.log(`${(await readings(big)).resident} (under 400)`)
} finally {
  await stage.close()
}
