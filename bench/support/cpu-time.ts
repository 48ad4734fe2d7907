import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pass } from 'node:timers/promises'
import { requireOrSkip } from './require-or-skip.ts'

requireOrSkip('processor times from /proc, as Linux has them', existsSync('/proc/self/stat'))

/**
 * Returns the fields of /proc/PID/stat (proc(5)), beginning with the process state. The name before the state may
 * contain spaces.
 */
function statOf(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

const parentOf = (pid: number) => Number(statOf(pid)[1])
const allPids = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
const childrenOf = (parent: number) => allPids().filter((pid) => parentOf(pid) === parent)

const TICK_MS = 10

/** Returns the CPU time of these processes and of their ended child processes, in milliseconds. */
export const cpuMsOf = (pids: number[]): number =>
  pids.flatMap((pid) => statOf(pid).slice(11, 15)).reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0)

/** Returns the peak resident memory of a process. */
export const peakMegabytesOf = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/**
 * Returns the ids of the server processes that this benchmark started, in the order of their start. Includes the
 * minimal server.
 */
export const serverPids = (): number[] =>
  childrenOf(process.pid)
    .filter((pid) =>
      /src\/main\.ts|bench\/support\/minimal-server\.ts/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')),
    )
    .toSorted((one, other) => one - other)

/** Finds all processes of the PostgreSQL server to which this backend process belongs. */
export function postgresOf(backend: number): () => number[] {
  const postmaster = parentOf(backend)
  return () => [postmaster, ...childrenOf(postmaster)]
}

/** Watches the memory of the child processes of a server. `end` returns the largest peak of one of them. */
export function peaksOfChildren(parent: number): { end(): Promise<number> } {
  let [peak, isWatching] = [0, true]
  const watching = (async () => {
    for (; isWatching; await pass(50)) for (const pid of childrenOf(parent)) peak = Math.max(peak, peakIfAlive(pid))
  })()
  return {
    async end() {
      isWatching = false
      await watching
      return peak
    },
  }
}

function peakIfAlive(pid: number): number {
  try {
    return peakMegabytesOf(pid) || 0
  } catch {
    return 0
  }
}
