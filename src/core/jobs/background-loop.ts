import type { FastifyBaseLogger } from 'fastify'
import type { Announcements } from './postgres-notify-listener.ts'

/** A loop that does work in the background. `close` stops the loop, and waits until the work in progress ends. */
export interface BackgroundLoop {
  close(): Promise<void>
}

export interface LoopOptions {
  name: string
  /**
   * The maximum time between two turns of the background loop, in milliseconds. Regular turns find work whose
   * notification was lost or never sent.
   */
  every: number
  log: FastifyBaseLogger
  /** The PostgreSQL channel whose notifications start the next turn of the loop. */
  announced?: { announcements: Announcements; channel: string }
}

/**
 * Runs the function `turn` (one round of background work) now, after each interval, and at each call of `wake`. Two
 * turns never overlap. If `wake` is called during a turn, another turn follows.
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
