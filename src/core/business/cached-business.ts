import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import type { CurrentBusiness } from '../../protocol/dependencies.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { businessDefinition } from './queries.ts'

/** Milliseconds that a cached definition is used before the server checks its version again. */
const TRUSTED_MS = 1_000

/** Caches the definition in memory and reads it again when its version has changed. */
export function cachedBusiness(db: Database): CurrentBusiness {
  let definition: BusinessDefinition | undefined
  let version = 0
  let checkedAt = Number.NEGATIVE_INFINITY
  const seenBy = async (from: Database) => {
    const { rows } = await sql<{ version: number }>`select version from business`.execute(from)
    const found = rows[0]?.version ?? 0
    if (found !== version) {
      definition = await businessDefinition(from)
      version = found
    }
    checkedAt = performance.now()
    return definition
  }
  return {
    seenBy,
    get: async () => (performance.now() - checkedAt < TRUSTED_MS ? definition : seenBy(db)),
  }
}
