import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Something that is run on hostile input, up to the largest that is let in to it. */
export interface Subject {
  largest: number
  /** Makes ready what is as large as that, and answers how to run it. */
  prepare(size: number): () => unknown
}

/** Milliseconds of processor time: at the largest size, and how many times those of a quarter of it. */
export interface Cost {
  ms: number
  growth: number
}

/** What costs more than anything may, or grows with the square: sixteen times for four times the size. */
export const isSlow = ({ ms, growth }: Cost, limit: number) => ms > limit || growth > 13

const runner = fileURLToPath(new URL('./runner.ts', import.meta.url))
const node = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url))
/** How long, in milliseconds, a subject may keep a process before it is given up. */
const CASE_TIMEOUT_MS = 30_000

/**
 * The subjects of a module that are slow, each measured in a process of its own: whoever hangs there is ended, and costs
 * infinitely much. Of so many subjects one is measured. The module exports `subjects`, a function that may be given what it needs.
 */
export async function slowOf(
  module: URL,
  { given, limit = 20, oneOf = 1 }: { given?: unknown; limit?: number; oneOf?: number } = {},
): Promise<{ measured: number; slow: [string, Cost][] }> {
  const known = new Map<string, Cost>()
  for (;;) {
    const hung = await run(module, { given, limit, oneOf }, known)
    if (hung === undefined) break
    known.set(hung, { ms: Number.POSITIVE_INFINITY, growth: Number.POSITIVE_INFINITY })
  }
  return { measured: known.size, slow: [...known].filter(([, cost]) => isSlow(cost, limit)) }
}

/** Runs what is not known yet; answers the name of what did not end. */
function run(
  module: URL,
  how: { given: unknown; limit: number; oneOf: number },
  known: Map<string, Cost>,
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const child = fork(runner, { execPath: node, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    let current: string | undefined
    let failure = ''
    let killTimer: NodeJS.Timeout | undefined
    child.stderr?.on('data', (text) => (failure += text))
    child.on('message', ({ begins, ended, cost }: { begins?: string; ended?: string; cost?: Cost }) => {
      clearTimeout(killTimer)
      if (ended !== undefined && cost) known.set(ended, cost)
      current = begins
      if (begins !== undefined) killTimer = setTimeout(() => child.kill('SIGKILL'), CASE_TIMEOUT_MS)
    })
    child.on('close', (code, signal) => {
      clearTimeout(killTimer)
      if (code === 0) resolve(undefined)
      else if (signal === 'SIGKILL' && current !== undefined) resolve(current)
      else reject(new Error(`${current ?? 'the runner'} failed:\n${failure}`))
    })
    child.send({ module: module.href, ...how, done: [...known.keys()] })
  })
}
