import { execFileSync } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { openPgbouncer } from '../../bench/support/pgbouncer.ts'
import { freePort } from './process.ts'

/** Why tests that need a pooler cannot run here; empty where they can. */
export const missing = hasPgbouncer() ? '' : ' (skipped: there is no pgbouncer here; apt-get install pgbouncer)'

function hasPgbouncer() {
  try {
    return Boolean(execFileSync('pgbouncer', ['-V'], { stdio: 'pipe' }))
  } catch {
    return false
  }
}

/** One with so few connections that all share them, while the test runs. */
export async function startPgbouncer(databaseUrl: string): Promise<string> {
  const { url, stop } = await openPgbouncer(databaseUrl, await freePort(), 4)
  onTestFinished(stop)
  return url
}
