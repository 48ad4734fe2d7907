import type { Database } from '../../infra/db/database.ts'
import type { Payment } from './payment.ts'
import { refundInsert } from './queries.ts'

interface Paid {
  status: string
  record: { payment?: Payment }
}

export async function queueRefund(tx: Database, before: Paid, after: Paid, now: Date): Promise<void> {
  const returned = new Map(before.record.payment?.received.map((receipt) => [receipt.id, receipt.returned]))
  const reason = `${before.status} to ${after.status}`
  for (const { id, returned: total } of after.record.payment?.received ?? []) {
    const amount = total - (returned.get(id) ?? 0)
    if (amount > 0) await refundInsert(tx, { payment: id, amount, reason }, now)
  }
}
