import { spawnSync } from 'node:child_process'

/** Exit code of a benchmark that cannot run on this machine. */
export const SKIPPED_EXIT_CODE = 77

/** Ends a benchmark at its start when a requirement is missing. */
export function requireOrSkip(what: string, isHere: boolean): void {
  if (isHere) return
  console.log(`passed over: it needs ${what}`)
  process.exit(SKIPPED_EXIT_CODE)
}

export const isInstalled = (program: string): boolean => !spawnSync(program, ['--version'], { stdio: 'ignore' }).error
