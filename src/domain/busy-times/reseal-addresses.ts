import { seal, sealingKeysOf, unseal } from '../../core/keys/encrypt-secrets.ts'
import type { Database } from '../../infra/db/database.ts'

/**
 * Decrypts the addresses of connected calendars with the former secret key, and encrypts them with the next one. The
 * function keeps a calendar whose address the former secret key cannot decrypt. Such a calendar keeps blocking time,
 * and the desk asks to connect it again. A repeated call changes nothing.
 */
export async function resealAddresses(db: Database, secrets: { former: string; next: string }): Promise<void> {
  const [{ calendars: former }, { calendars: next }] = [sealingKeysOf(secrets.former), sealingKeysOf(secrets.next)]
  await db.transaction().execute(async (tx) => {
    const stored = await tx.selectFrom('calendar_sources').select(['id', 'address']).forUpdate().execute()
    for (const { id, address } of stored) {
      const opened = openedWith(former, address)
      if (opened !== undefined)
        await tx
          .updateTable('calendar_sources')
          .set({ address: seal(next, opened) })
          .where('id', '=', id)
          .execute()
    }
  })
}

function openedWith(key: Parameters<typeof unseal>[0], sealed: Buffer): string | undefined {
  try {
    return unseal(key, sealed)
  } catch {
    return undefined
  }
}
