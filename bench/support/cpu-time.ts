import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { needs } from './needs.ts'

needs('processor times from /proc, as Linux has them', existsSync('/proc/self/stat'))

/** What the kernel says of a process (proc(5)), from the state on: what stands before may have any form. */
function statOf(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

const parentOf = (pid: number) => Number(statOf(pid)[1])
const all = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
const childrenOf = (parent: number) => all().filter((pid) => parentOf(pid) === parent)

const TICK_MS = 10

/** The processor time of processes and of their children that ended, in milliseconds. */
export const cpuMsOf = (pids: number[]): number =>
  pids.flatMap((pid) => statOf(pid).slice(11, 15)).reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0)

/** The most memory that a process had so far, all its threads together. */
export const peakMegabytesOf = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** The servers that this process started, in that order; one that is bare among them. */
export const serverPids = (): number[] =>
  childrenOf(process.pid)
    .filter((pid) => /src\/main\.ts|bench\/support\/bare\.ts/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')))
    .toSorted((one, other) => one - other)

/** All processes of the PostgreSQL that one of its backends belongs to. */
export function postgresOf(backend: number): () => number[] {
  const postmaster = parentOf(backend)
  return () => [postmaster, ...childrenOf(postmaster)]
}
