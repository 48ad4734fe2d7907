import { nameClients } from '../authentication/api-keys.ts'
import { syncSessions } from '../availability/sync-sessions.ts'
import { businessLock, businessUpsert, definitionIfAny, locationsReplace } from '../business/queries.ts'
import { publishCatalogue } from '../catalog/publish-catalogue.ts'
import type { Change as Tx } from '../db/change.ts'
import type { OpenDatabase } from '../db/database.ts'
import { inChange } from '../db/in-change.ts'
import type { BusinessDefinition } from '../protocol/types.generated.ts'
import { freedInsert } from '../waitlist/freed-queries.ts'
import { type Change, differences } from './differences.ts'

/** Brings the server to the definition, whole or not at all, and tells what that changes. A dry run only tells. */
export async function applyDefinition(
  db: OpenDatabase,
  definition: BusinessDefinition,
  now: Date,
  { dryRun = false } = {},
): Promise<Change[]> {
  if (dryRun) return differences(await definitionIfAny(db), definition)
  return inChange(db, (tx) => bringTo(tx, definition, now))
}

/** The same within a change that is under way. */
export async function bringTo(tx: Tx, definition: BusinessDefinition, now: Date): Promise<Change[]> {
  const changes = differences(await businessLock(tx), definition)
  if (changes.length === 0) return changes
  const modifiedAt = await businessUpsert(tx, definition, now)
  await locationsReplace(tx, definition)
  await publishCatalogue(tx, definition, modifiedAt)
  await syncSessions(tx, definition, now)
  await freedInsert(tx)
  await nameClients(tx, definition.clients ?? [], now)
  return changes
}
