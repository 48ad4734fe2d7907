import { spawnSync } from 'node:child_process'

/** The exit code of a benchmark that cannot run on this machine. */
export const SKIPPED_EXIT_CODE = 77

/** Ends a benchmark at its start if this machine lacks something that the benchmark needs. */
export function requireOrSkip(what: string, isHere: boolean): void {
  if (isHere) return
  console.log(`passed over: it needs ${what}`)
  process.exit(SKIPPED_EXIT_CODE)
}

export const isInstalled = (program: string): boolean => !spawnSync(program, ['--version'], { stdio: 'ignore' }).error
