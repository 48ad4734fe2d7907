import type { Database } from '../infra/db/database.ts'
import type { BusinessDefinition } from './types.generated.ts'

export interface CurrentBusiness {
  /** The definition in force; it may be a second old. */
  get(): Promise<BusinessDefinition | undefined>
  /** The definition as a transaction sees it, for what was freed by the very change of it. */
  seenBy(tx: Database): Promise<BusinessDefinition | undefined>
}
