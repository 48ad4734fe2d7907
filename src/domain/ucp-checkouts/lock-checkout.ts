import type { ChangeContext } from '../../protocol/define-operation.ts'
import type { CheckoutRow } from './checkout-row.ts'
import { checkoutNotFound } from './error-messages.ts'
import { checkoutLock } from './queries.ts'

/** Locks a UCP checkout of the caller until the transaction ends. */
export async function lockCheckout({ db, caller }: ChangeContext, id: string): Promise<CheckoutRow> {
  await db.waitForSlot(`checkout ${id}`)
  const row = await checkoutLock(db, id)
  const isOwn = row?.profile === caller.profile && caller.identities.includes(row.principal)
  if (!row || !isOwn) throw checkoutNotFound()
  return row
}
