import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Running } from '../core/jobs/loop.ts'
import { type Occupancy, occupancyIn } from '../infra/db/occupancy.ts'
import { BEAT } from './background-beat.ts'
import type { Given } from './run-background.ts'

interface Background extends Running {
  /** Of its connections, as it said last. */
  occupancy(): Occupancy | undefined
}

/** Milliseconds after which a thread that ended by a fault is followed by another. */
const PAUSE = 5_000
/** What takes more than this is a fault, and ends the thread instead of the server. */
const MOST_MEGABYTES = 512
/** What is new and may be thrown away soon: with more there is less to do, and it would keep several times as much for ever. */
const YOUNG_MEGABYTES = 8
/** Of its signs of life: so many that never came, one after the other, and it hangs. On the busiest machine it has its turn by then. */
const MOST_MISSED = 12
const THREAD = new URL('./background-thread.ts', import.meta.url)

/**
 * Does what nobody waits for in a thread of its own, with connections of its own, as another server would: however long the
 * hints of a thousand services take, whoever calls is answered meanwhile.
 */
export function startBackground(
  given: Given,
  log: { error(fault: object, what: string): void },
  { pause = PAUSE, beat = BEAT, file = THREAD } = {},
): Background {
  let isClosing = false
  let thread: Worker | undefined
  let isLoaded = false
  let missed = 0
  let occupancy: Occupancy | undefined
  let next: NodeJS.Timeout | undefined
  const start = () => {
    const worker = new Worker(file, {
      workerData: given,
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES, maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    })
    thread = worker
    isLoaded = false
    // That it is loaded, and from then on that it lives, with how many connections.
    worker.on('message', (said) => {
      occupancy = occupancyIn(said)
      isLoaded = true
      missed = 0
    })
    worker.on('error', (error) =>
      log.error({ err: error }, 'The background thread ended with an error; another begins.'),
    )
    worker.once('exit', () => {
      thread = undefined
      occupancy = undefined
      if (!isClosing) next = setTimeout(start, pause).unref()
    })
  }
  // Counted, not timed: who was asleep together misses one.
  const look = () => {
    if (!thread || !isLoaded || ++missed < MOST_MISSED) return
    missed = 0
    log.error({ seconds: (MOST_MISSED * beat) / 1000 }, 'The background thread hangs; another begins.')
    void thread.terminate()
  }
  const watch = setInterval(look, beat).unref()
  start()
  return {
    occupancy: () => occupancy,
    async close() {
      isClosing = true
      clearTimeout(next)
      if (!thread) return clearInterval(watch)
      const ended = once(thread, 'exit')
      // Loading may take a slow machine longer than there is, and nothing is lost with it.
      if (isLoaded) thread.postMessage('close')
      else void thread.terminate()
      await ended
      clearInterval(watch)
    },
  }
}
