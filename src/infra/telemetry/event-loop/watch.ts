import { setTimeout as pass } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Whereabouts, whereItIs } from './where.ts'

/** In milliseconds: how long the loop may stand still, and how often that is looked at. */
const STUCK_AFTER_MS = 2_000
const MEASURED_EVERY_MS = 250
/** Who was not woken for so long was asleep, and so was whom it watches: the process was stopped, or had no processor. */
const ASLEEP = 1_000
/** To find out where it is takes a few, on a slow machine more, unless it is deep in something native. */
const TO_FIND_OUT = 3_000

/**
 * Watches from another thread that the event loop of the main thread turns, and logs what kept it when it does not: the thread that
 * is stuck could tell nobody.
 */
export function watch(pulse: Int32Array, log: Pick<Logger, 'error'>): void {
  let lastPulse = Atomics.load(pulse, 0)
  let lastLook = performance.now()
  let stuckFor = 0
  let where: Promise<Whereabouts> | undefined

  // Without it the thread goes on as before.
  const tryToLook = () =>
    void look().catch((error) => log.error({ err: error }, 'The watchdog could not look at the event loop.'))
  setInterval(tryToLook, MEASURED_EVERY_MS).unref()

  async function look() {
    const beats = Atomics.load(pulse, 0)
    const passed = performance.now() - lastLook
    const isTurning = beats !== lastPulse
    lastLook += passed
    lastPulse = beats
    if (isTurning) await tellEnd()
    else if (passed > ASLEEP) stuckFor = 0
    else await tellStuck(passed)
  }

  async function tellStuck(passed: number) {
    stuckFor += passed
    if (stuckFor < STUCK_AFTER_MS || where) return
    where = whereItIs()
    const ms = Math.round(stuckFor)
    log.error({ ...(await foundSoon(where)), ms }, 'The event loop is stuck.')
  }

  async function tellEnd() {
    const [ended, ms] = [where, Math.round(stuckFor)]
    where = undefined
    stuckFor = 0
    if (ended) log.error({ ...(await foundSoon(ended)), ms }, 'The event loop was stuck, and turns again.')
  }
}

/** Nobody who ends waits for it. */
const foundSoon = (found: Promise<Whereabouts>) => Promise.race([found, pass(TO_FIND_OUT, {}, { ref: false })])
