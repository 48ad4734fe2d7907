import type { FastifyBaseLogger } from 'fastify'
import type { Announcements } from './notify-listener.ts'

/** A loop in the background. `close` stops the loop and waits for the work in progress. */
export interface BackgroundLoop {
  close(): Promise<void>
}

export interface LoopOptions {
  name: string
  /**
   * The most milliseconds between two runs. The interval finds work that falls due without a notification, and work
   * whose notification was lost.
   */
  every: number
  log: FastifyBaseLogger
  /** The channel that notifies the loop of new work. */
  announced?: { announcements: Announcements; channel: string }
}

/**
 * Runs `turn` now, after each interval and whenever `wake` is called, but never twice at the same time. A call of
 * `wake` during a run causes another run.
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
