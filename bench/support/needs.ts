import { spawnSync } from 'node:child_process'

/** How a benchmark ends that cannot be run here. */
export const PASSED_OVER = 77

/** Ends a benchmark at its start where what it takes is not to be had. */
export function needs(what: string, isHere: boolean): void {
  if (isHere) return
  console.log(`passed over: it needs ${what}`)
  process.exit(PASSED_OVER)
}

export const isInstalled = (program: string): boolean => !spawnSync(program, ['--version'], { stdio: 'ignore' }).error
