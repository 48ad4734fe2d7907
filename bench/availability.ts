/**
 * Measures availability queries per second with 1 000 bookings and with a million bookings. Compares the rate with a
 * minimal server that reads 50 rows. Also measures the CPU time of the server and the database for each query, which
 * does not depend on other processes.
 */
import { checkTarget } from './support/check-target.ts'
import { cpuMsOf, postgresOf, serverPids } from './support/cpu-time.ts'
import { type FireResult, median, type PreparedRequest, repeat } from './support/load.ts'
import { fillCalendar, salon, WEEK } from './support/salon.ts'
import { openStage } from './support/stage.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const SECONDS = 4

const stage = await openStage()
const few = await stage.serve('few', salon())
const many = await stage.serve('many', salon())
const bare = await stage.serveBare()
await fillCalendar(few.db, 1_000)
await fillCalendar(many.db, Number(process.env.BENCH_MANY ?? 1_000_000))

const query = (path: string): PreparedRequest => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ service_id: 'svc_cut', ...WEEK }),
})
const [fewPid = 0, manyPid = 0, barePid = 0] = serverPids()
const { rows } = await few.db.query('select pg_backend_pid() as pid')
const databasePids = postgresOf(rows[0].pid)
const measured = async (pid: number, origin: string, path: string) => {
  const spent = () => cpuMsOf([pid, ...databasePids()])
  const before = spent()
  const fired = await repeat(origin, query(path), SECONDS)
  return { ...fired, cpu: (spent() - before) / (fired.rate * SECONDS) }
}
const contenders = {
  bare: () => measured(barePid, bare, '/query'),
  few: () => measured(fewPid, few.origin, '/usp/v1/availability/query'),
  many: () => measured(manyPid, many.origin, '/usp/v1/availability/query'),
}
for (const run of Object.values(contenders)) await run()
const rounds: Record<keyof typeof contenders, FireResult & { cpu: number }>[] = []
for (let round = 0; round < ROUNDS; round++) {
  const [bare, few, many] = [await contenders.bare(), await contenders.few(), await contenders.many()]
  rounds.push({ bare, few, many })
}
await stage.close()

const rate = (name: 'bare' | 'few' | 'many') => median(rounds.map((round) => round[name].rate))
const ratio = (one: 'few' | 'many', other: 'bare' | 'few') =>
  median(rounds.map((round) => round[one].rate / round[other].rate))
const p99 = (name: 'few' | 'many') => median(rounds.map((round) => round[name].p99))
console.log(`bare Fastify and pg, 50 rows   ${rate('bare').toFixed(0)}/s`)
console.log(`availability, 1 000 bookings   ${rate('few').toFixed(0)}/s, p99 ${p99('few')} ms`)
console.log(`availability, 1 000 000        ${rate('many').toFixed(0)}/s, p99 ${p99('many')} ms`)
checkTarget('p99 with 1 000 bookings', p99('few'), { under: 25 }, 'ms')
const why = 'docs/decisions/0101-performance-targets.md'
checkTarget('as many a second as bare', ratio('few', 'bare'), { atLeast: 1, stopped: { at: 0.9, why } }, 'times')
checkTarget('with a million bookings as many as with a thousand', ratio('many', 'few'), { atLeast: 0.9 }, 'times')
const cpu = (name: 'bare' | 'few' | 'many') => median(rounds.map((round) => round[name].cpu)).toFixed(2)
const times = median(rounds.map((round) => round.few.cpu / round.bare.cpu)).toFixed(2)
console.log(`processor time of one: bare ${cpu('bare')} ms, ${cpu('few')} and ${cpu('many')} ms: ${times} times bare`)
