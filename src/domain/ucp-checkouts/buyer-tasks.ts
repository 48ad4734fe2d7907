import { insertAuditEntry } from '../../core/records/audit-log.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { isEqualInConstantTime, type Tag } from '../../protocol/keyed-digest.ts'
import type { Message, ServiceDefinition } from '../../protocol/types.generated.ts'
import type { Agreed, CheckoutRow, CheckoutTask } from './checkout-row.ts'
import { errorMessage } from './error-messages.ts'
import { checkoutLock, checkoutUpdate } from './queries.ts'

/** Returns the tasks that the buyer must complete before the booking: to sign a waiver, or to answer questions. */
export const tasksOfService = ({
  waiver,
  intake = [],
}: ServiceDefinition): Pick<Agreed, 'tasks' | 'waiver' | 'intake'> => ({
  tasks: [
    ...(waiver ? [{ type: 'waiver' as const, status: 'pending' as const }] : []),
    ...(intake.length > 0 ? [{ type: 'intake' as const, status: 'pending' as const }] : []),
  ],
  ...(waiver && { waiver }),
  ...(intake.length > 0 && { intake }),
})

export const openTasks = ({ agreed }: Pick<CheckoutRow, 'agreed'>): CheckoutTask[] =>
  agreed.tasks.filter(({ status }) => status === 'pending')

const contents: Record<CheckoutTask['type'], string> = {
  waiver: 'The buyer must read and agree to the terms on the page of the business.',
  intake: 'The buyer must answer the questions on the page of the business.',
}

/**
 * Returns messages about the buyer's open tasks. Only the buyer can complete these tasks, so the platform must send the
 * buyer to the page at `continue_url`.
 */
export const taskMessages = (row: CheckoutRow): Message[] =>
  openTasks(row).map(({ type }) =>
    errorMessage('actions_pending', contents[type], '$.booking.actions', 'requires_buyer_input'),
  )

/**
 * Copies the completed tasks of a UCP checkout to its update, if buyer, service, waiver and questions stay the same.
 */
export function withDoneTasks(after: CheckoutRow, before: CheckoutRow): CheckoutRow {
  const [was, is] = [before.agreed, after.agreed]
  const isSame =
    before.people !== null &&
    JSON.stringify([was.waiver, was.intake]) === JSON.stringify([is.waiver, is.intake]) &&
    was.service.id === is.service.id &&
    before.people?.buyer.email === after.people?.buyer.email
  const answers = before.people?.answers
  if (!isSame || !after.people) return after
  return { ...after, agreed: { ...is, tasks: was.tasks }, people: { ...after.people, ...(answers && { answers }) } }
}

/** Records that the buyer completed a task on the web page of the UCP checkout. A repeated call changes nothing. */
export async function completeCheckoutTask(
  tx: UnitOfWork,
  id: string,
  { type, answers }: { type: CheckoutTask['type']; answers?: Record<string, string> },
  now: Date,
): Promise<void> {
  const row = await checkoutLock(tx, id)
  if (!row?.people || row.status !== 'open' || !openTasks(row).some((task) => task.type === type)) return
  const tasks = row.agreed.tasks.map((task) => (task.type === type ? { type, status: 'completed' as const } : task))
  const people = { ...row.people, ...(answers && { answers }) }
  await checkoutUpdate(tx, { ...row, agreed: { ...row.agreed, tasks }, people, updated_at: now })
  const change = { from: row.status, to: row.status }
  insertAuditEntry(tx, { actor: 'buyer', action: `complete_${type}`, subject: `checkout ${id}`, ...change }, now)
}

const TAG_BYTES = 24

const secretOf = (tag: Tag, id: string): string => tag('page', `checkout ${id}`, TAG_BYTES)

/** Returns the URL of the web page of a UCP checkout. The URL contains a secret that only this server can compute. */
export const checkoutPageUrl = (baseUrl: string, tag: Tag, id: string): string =>
  `${baseUrl}/checkout/${id}/${secretOf(tag, id)}`

export const isCheckoutSecret = (tag: Tag, id: string, given: string): boolean =>
  isEqualInConstantTime(secretOf(tag, id), given)
