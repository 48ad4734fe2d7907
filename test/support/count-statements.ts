import type { KyselyPlugin } from 'kysely'
import type { Database } from '../../src/infra/db/database.ts'

export function countStatements(whole: Database) {
  const counts = { statements: 0 }
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      counts.statements++
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return { counts, db: whole.withPlugin(counting) }
}
