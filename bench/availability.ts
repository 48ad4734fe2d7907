/** How many availability queries a second, beside a bare handler that reads 50 rows: with 1 000 bookings and a million. */
import { type Fired, median, repeat, type Shot } from './support/load.ts'
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

const query = (path: string): Shot => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ service_id: 'svc_cut', ...WEEK }),
})
const contenders = {
  bare: () => repeat(bare, query('/query'), SECONDS),
  few: () => repeat(few.origin, query('/usp/v1/availability/query'), SECONDS),
  many: () => repeat(many.origin, query('/usp/v1/availability/query'), SECONDS),
}
for (const run of Object.values(contenders)) await run()
const rounds: Record<keyof typeof contenders, Fired>[] = []
for (let round = 0; round < ROUNDS; round++) {
  const [bare, few, many] = [await contenders.bare(), await contenders.few(), await contenders.many()]
  rounds.push({ bare, few, many })
}
await stage.close()

const rate = (name: 'bare' | 'few' | 'many') => median(rounds.map((round) => round[name].rate))
const ratio = (one: 'few' | 'many', other: 'bare' | 'few') =>
  median(rounds.map((round) => round[one].rate / round[other].rate)).toFixed(2)
const p99 = (name: 'few' | 'many') => median(rounds.map((round) => round[name].p99))
console.log(`bare Fastify and pg, 50 rows   ${rate('bare').toFixed(0)}/s`)
console.log(`availability, 1 000 bookings   ${rate('few').toFixed(0)}/s, p99 ${p99('few')} ms (under 25)`)
console.log(`availability, 1 000 000        ${rate('many').toFixed(0)}/s, p99 ${p99('many')} ms`)
console.log(
  `ratio to bare ${ratio('few', 'bare')} (at least 0.7); a million to a thousand ${ratio('many', 'few')} (at least 0.9)`,
)
