import { type ResealStep, resealed } from '../../core/keys/reencrypt-stored-secrets.ts'
import { endedDelete, endedLock, endedReplace } from './oauth/ended-calendar-queries.ts'
import { sourcesLock } from './source-queries.ts'

/**
 * Re-encrypts the addresses of connected calendars. If the former secret key cannot decrypt an address, the function keeps
 * the calendar. It then keeps blocking time, and the desk asks to connect it again. A disconnected calendar without an
 * address is of no use.
 */
export const resealAddresses: ResealStep = async (tx, keys) => {
  const key = { former: keys.former.calendars, next: keys.next.calendars }
  await sourcesLock(tx)
  const stored = await tx.selectFrom('calendar_sources').select(['id', 'address']).execute()
  for (const { id, address: sealed } of stored) {
    const address = resealed(sealed, key)
    if (address) await tx.updateTable('calendar_sources').set({ address }).where('id', '=', id).execute()
  }
  for (const { id, address: sealed } of await endedLock(tx)) {
    const address = resealed(sealed, key)
    if (address) await endedReplace(tx, id, address)
    else await endedDelete(tx, id)
  }
}
