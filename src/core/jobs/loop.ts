import type { FastifyBaseLogger } from 'fastify'
import type { Announcements } from './notify-listener.ts'

/** A background loop. `close` waits for the work in progress. */
export interface BackgroundLoop {
  close(): Promise<void>
}

export interface LoopOptions {
  name: string
  /** Most milliseconds between two runs: for work that falls due without a notification, or with a missed one. */
  every: number
  log: FastifyBaseLogger
  /** The notification channel for new work. */
  announced?: { announcements: Announcements; channel: string }
}

/**
 * Runs `turn` now, on each wake-up and at each interval, but never twice at once. A wake-up during a run causes another
 * run.
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
