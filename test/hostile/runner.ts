import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { slowness } from '../support/slowness.ts'
import { type Cost, isSlow, type Subject } from './measure.ts'

/** Nothing that takes less than this part of what it may is looked at more closely: a measurement of so little says nothing. */
const NEGLIGIBLE = 0.4
const ATTEMPTS = 5
const TICK = 4
/** How often at most something is looked at, milliseconds apart, and what takes so many that it need not be. */
const LOOKS = 6
const PAUSE = 500
const HOPELESS = 200

const lately = { at: Number.NEGATIVE_INFINITY, slowness: 1 }

const [{ module, given, limit, oneOf, done }] = await once(process, 'message')
const { subjects } = await import(module)
const known = new Set<string>(done)
const negligible = limit * NEGLIGIBLE
for (const [nth, [name, subject]] of Object.entries<Subject>(await subjects(given)).entries()) {
  if (known.has(name) || nth % oneOf > 0) continue
  await tell({ begins: name })
  await tell({ ended: name, cost: await judged(subject) })
}
process.exit(0)

/** Waits until it is told: what is still under way when the process ends would be lost. */
function tell(message: object): Promise<void> {
  return new Promise((resolve, reject) =>
    process.send?.(message, undefined, {}, (error) => (error ? reject(error) : resolve())),
  )
}

/** What looks slow is looked at again, since the machine may have been: only what is slow stays so. */
async function judged(subject: Subject): Promise<Cost> {
  let cost = await costOf(subject)
  for (let look = 1; look < LOOKS && isSlow(cost, limit) && cost.ms < HOPELESS; look++) {
    await setTimeout(PAUSE)
    cost = await costOf(subject)
  }
  return cost
}

async function costOf({ largest, prepare }: Subject): Promise<Cost> {
  const ms = await best(prepare(largest))
  if (ms < negligible) return { ms, growth: 1 }
  return { ms, growth: ms / Math.max(1, await best(prepare(largest / 4))) }
}

/** How slow the machine was within the last second: asked for thousands of times, and what looks slow is looked at again. */
function recentSlowness(): number {
  if (performance.now() - lately.at > 1_000) Object.assign(lately, { slowness: slowness(), at: performance.now() })
  return lately.slowness
}

/** The least of several attempts, on a machine as it usually is: whatever else it does makes nothing cheaper. */
async function best(run: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < ATTEMPTS && least > negligible * recentSlowness(); attempt++) {
    const [before, started] = [process.threadCpuUsage(), performance.now()]
    await run()
    const elapsed = performance.now() - started
    const { user, system } = process.threadCpuUsage(before)
    // Some systems count processor time by the tick alone; it says what passed while others had the processor.
    least = Math.min(least, elapsed, (user + system) / 1000 + TICK)
  }
  return least > negligible ? least / recentSlowness() : least
}
