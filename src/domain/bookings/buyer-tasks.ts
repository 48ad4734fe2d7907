import { takesPayment } from '../pricing/payment-amounts.ts'
import type { BookingRecord, BookingRow, Task } from './booking-row.ts'

/**
 * Returns the tasks that a buyer must complete before the booking is confirmed, such as a waiver (a text to accept).
 * The payment is the last task.
 */
export function tasksOf({
  waiver,
  intake = [],
  payment,
}: Pick<BookingRecord, 'waiver' | 'intake' | 'payment'>): Task[] {
  const task = (type: Task['type']): Task => ({ type, status: 'pending' })
  return [
    ...(waiver ? [task('waiver')] : []),
    ...(intake.length > 0 ? [task('intake')] : []),
    ...(takesPayment(payment) && payment.due > 0 ? [task('payment')] : []),
  ]
}

export const isPending = (tasks: readonly Task[], type?: Task['type']): boolean =>
  tasks.some((task) => task.status === 'pending' && (type === undefined || task.type === type))

export const awaits = ({ status, record }: BookingRow, type: Task['type']): boolean =>
  status === 'requires_action' && isPending(record.tasks, type)

export const completed = (tasks: readonly Task[], type: Task['type']): Task[] =>
  tasks.map((task) => (task.type === type ? { ...task, status: 'completed' } : task))
