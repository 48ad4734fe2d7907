import { spawnSync } from 'node:child_process'

/** Exit code of a benchmark that cannot run on this machine. */
export const PASSED_OVER = 77

/** Ends a benchmark at its start when a requirement is missing. */
export function needs(what: string, isHere: boolean): void {
  if (isHere) return
  console.log(`passed over: it needs ${what}`)
  process.exit(PASSED_OVER)
}

export const isInstalled = (program: string): boolean => !spawnSync(program, ['--version'], { stdio: 'ignore' }).error
