import { nameClients } from '../authentication/api-keys.ts'
import { syncSessions } from '../availability/sync-sessions.ts'
import { businessLock, businessUpsert, definitionIfAny, locationsReplace } from '../business/queries.ts'
import { publishCatalogue } from '../catalog/publish-catalogue.ts'
import type { Change as Tx } from '../db/change.ts'
import type { Database, OpenDatabase } from '../db/database.ts'
import { inChange } from '../db/in-change.ts'
import type { BusinessDefinition } from '../protocol/types.generated.ts'
import { freedInsert } from '../waitlist/freed-queries.ts'
import { type Change, differences } from './differences.ts'
import { findStranded, NOTHING_STRANDED, type Stranded, toStranded } from './stranded.ts'
import { strandedNote } from './stranded-queries.ts'

/** Of whatever else changes nothing comes free for those who wait. */
const ABOUT_TIME = /^(?:business|location|hours|closures|special_hours|resource|service)\b/

/** What a definition changes, and which bookings it leaves without what they were agreed with. */
export interface Applied {
  changes: Change[]
  stranded: Stranded
}

/** Brings the server to the definition, whole or not at all, and tells what that changes. A dry run only tells. */
export async function applyDefinition(
  db: OpenDatabase,
  definition: BusinessDefinition,
  now: Date,
  { dryRun = false } = {},
): Promise<Applied> {
  if (dryRun) return wouldApply(db, definition, now)
  return inChange(db, (tx) => bringTo(tx, definition, now))
}

/** What a definition would change, of a database that may not have been migrated yet. */
export async function wouldApply(db: Database, definition: BusinessDefinition, now: Date): Promise<Applied> {
  const before = await definitionIfAny(db)
  const changes = await differences(before, definition)
  if (!before || changes.length === 0) return { changes, stranded: NOTHING_STRANDED }
  return { changes, stranded: toStranded(await findStranded(db, before, definition, now)) }
}

/** Brings the server to the definition within a change that is under way. */
export async function bringTo(tx: Tx, definition: BusinessDefinition, now: Date): Promise<Applied> {
  const before = await businessLock(tx)
  const changes = await differences(before, definition)
  if (changes.length === 0) return { changes, stranded: NOTHING_STRANDED }
  const modifiedAt = await businessUpsert(tx, definition, now)
  await locationsReplace(tx, definition)
  await publishCatalogue(tx, definition, modifiedAt)
  await syncSessions(tx, definition, now)
  if (changes.some(({ what }) => ABOUT_TIME.test(what))) await freedInsert(tx)
  await nameClients(tx, definition.clients ?? [], now)
  const found = await findStranded(tx, before, definition, now)
  await strandedNote(tx, found, now)
  return { changes, stranded: toStranded(found) }
}
