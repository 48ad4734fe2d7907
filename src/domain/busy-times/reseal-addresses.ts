import { type ResealStep, resealed } from '../../core/keys/reencrypt-stored-secrets.ts'
import { sourcesLock } from './source-queries.ts'

/**
 * Re-encrypts the addresses of connected calendars. If the former secret key cannot decrypt an address, the function keeps
 * the calendar. It then keeps blocking time, and the desk asks to connect it again.
 */
export const resealAddresses: ResealStep = async (tx, { former, next }) => {
  await sourcesLock(tx)
  const stored = await tx.selectFrom('calendar_sources').select(['id', 'address']).execute()
  for (const { id, address: sealed } of stored) {
    const address = resealed(sealed, { former: former.calendars, next: next.calendars })
    if (address) await tx.updateTable('calendar_sources').set({ address }).where('id', '=', id).execute()
  }
}
