import { deliveryDismiss } from '../../../core/events/deliveries/delivery-queries.ts'
import { mailDismiss } from '../../../core/mails/queries.ts'
import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import type { ChangeContext, ObjectSchema } from '../../../protocol/define-operation.ts'
import { notFound } from '../shared/operation-defaults.ts'

export const messageInput = {
  type: 'object',
  required: ['told_id'],
  properties: { told_id: { type: 'string', minLength: 1, description: 'Id of the mail or the delivery.' } },
} as const satisfies ObjectSchema

/**
 * Removes a failed mail or event delivery from the inbox, and names the staff member in the audit log. Throws an error
 * if the mail or delivery is no longer in the inbox.
 */
export async function takeOutOfInbox(
  { db, caller, now, input: { told_id: id } }: ChangeContext<{ told_id: string }>,
  action: 'tell_again' | 'dismiss',
): Promise<void> {
  const subject = (await mailDismiss(db, id, now)) ?? (await deliveryDismiss(db, id, now))
  if (subject === undefined) throw notFound('message that was given up', id)
  const by = { actor: caller.principal, action, subject, from: null, to: null }
  insertAuditEntry(db, { ...by, detail: { told: id } }, now)
}
