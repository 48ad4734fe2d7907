import type { FastifyBaseLogger } from 'fastify'
import type { Announcements } from './announcements.ts'

/** Who works by itself, and how it is ended: what is under way is finished first. */
export interface Running {
  close(): Promise<void>
}

export interface LoopOptions {
  /** What its failures are called in the log. */
  name: string
  /** Milliseconds between two turns at the latest: for what falls due without being announced, and where nothing is heard. */
  every: number
  log: FastifyBaseLogger
  /** Where the database announces that there is something to do. */
  announced?: { announcements: Announcements; channel: string }
}

/** Runs a turn now, whenever woken, and at each interval; never two at once. When woken during a turn it runs another. */
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
        log.warn({ err: error }, `The ${name} loop failed; it runs again at its next turn.`),
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
