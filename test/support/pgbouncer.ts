import { execFileSync } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { openPgbouncer } from '../../bench/support/pgbouncer.ts'
import { freePort } from './process.ts'

/** The reason to skip tests with a pooler; empty where PgBouncer is installed. */
export const missing = hasPgbouncer() ? '' : ' (skipped: there is no pgbouncer here; apt-get install pgbouncer)'

function hasPgbouncer() {
  try {
    return Boolean(execFileSync('pgbouncer', ['-V'], { stdio: 'pipe' }))
  } catch {
    return false
  }
}

/** A PgBouncer with four database connections, so all clients share them. Runs until the test ends. */
export async function startPgbouncer(databaseUrl: string): Promise<string> {
  const { url, stop } = await openPgbouncer(databaseUrl, await freePort(), 4)
  onTestFinished(stop)
  return url
}
