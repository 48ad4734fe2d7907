import type { FastifyBaseLogger } from 'fastify'
import type { Announcements } from './notify-listener.ts'

/** A loop that runs in the background. `close` stops the loop, and waits until the work in progress ends. */
export interface BackgroundLoop {
  close(): Promise<void>
}

export interface LoopOptions {
  name: string
  /**
   * The most milliseconds between two runs. A run at each interval finds work without a notification, and work whose
   * notification was lost.
   */
  every: number
  log: FastifyBaseLogger
  /** The channel that notifies the loop of new work. */
  announced?: { announcements: Announcements; channel: string }
}

/**
 * Runs `turn` now, after each interval, and at each call of `wake`. Two runs never overlap. A call of `wake` during a
 * run causes another run afterwards.
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
