import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns the process ids of the PostgreSQL server with this data folder, the parent process first. Empty if the server
 * does not run.
 */
export function processesOf(data: string): number[] {
  const file = join(data, 'postmaster.pid')
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0
  const children = `/proc/${pid}/task/${pid}/children`
  if (!pid || !existsSync(children)) return []
  return [pid, ...readFileSync(children, 'utf8').split(' ').filter(Boolean).map(Number)]
}

export function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, name)
    } catch {} // The process has already ended.
}
