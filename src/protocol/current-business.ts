import type { Database } from '../infra/db/database.ts'
import type { BusinessDefinition } from './types.generated.ts'

export interface CurrentBusiness {
  /** The definition in force. It may be one second old. */
  get(): Promise<BusinessDefinition | undefined>
  /** The definition as a transaction sees it, for capacity that a new definition releases. */
  seenBy(tx: Database): Promise<BusinessDefinition | undefined>
}
