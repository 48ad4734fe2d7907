import type { FastifyBaseLogger } from 'fastify'
import type { Announcements } from './postgres-notify-listener.ts'

/** A loop that works in the background. `close` stops the loop, and waits for the end of the work in progress. */
export interface BackgroundLoop {
  close(): Promise<void>
}

export interface LoopOptions {
  name: string
  /**
   * The maximum time between two runs of the background work, in milliseconds. These regular runs also find work whose
   * notification was lost.
   */
  every: number
  log: FastifyBaseLogger
  /**
   * The PostgreSQL channel for notifications about new work. Each notification starts the next run of the loop at once.
   */
  announced?: { announcements: Announcements; channel: string }
}

/**
 * Runs the function `turn` now, after each interval, and after each call of `wake`. Two runs never overlap. A call of
 * `wake` during a run causes another run afterwards.
 */
export function startLoop(
  { name, every, log, announced }: LoopOptions,
  turn: (isClosing: () => boolean) => Promise<unknown>,
) {
  let closed = false
  let isWoken = false
  let running: Promise<void> | undefined
  const run = async () => {
    while (isWoken && !closed) {
      isWoken = false
      await turn(() => closed).catch((error) =>
        log.warn({ err: error }, `The ${name} loop failed; it runs again after its interval.`),
      )
    }
    running = undefined
  }
  const wake = () => {
    isWoken = true
    running ??= run()
  }
  const timer = setInterval(wake, every)
  timer.unref()
  const listenNoMore = announced?.announcements.listen(announced.channel, wake)
  wake()
  return {
    wake,
    async close() {
      closed = true
      clearInterval(timer)
      listenNoMore?.()
      await running
    },
  }
}
