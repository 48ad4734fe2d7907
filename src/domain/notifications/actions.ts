import { next } from '../bookings/lifecycle.ts'
import { type NotificationContext, valuesOf } from './notification-context.ts'
import { pendingTasks } from './sentences.ts'

interface Action {
  label: string
  url: string
}

export function actionsOf(about: NotificationContext): Action[] {
  const { booking, speech, isPaidOnline, pageOf } = about
  const { say } = speech
  const tasks = pendingTasks(about).map((type) => ({
    label:
      type === 'payment'
        ? say(isPaidOnline ? 'letter.action.pay' : 'letter.action.how_to_pay', valuesOf(about))
        : say(`letter.action.${type}`),
    url: pageOf(type),
  }))
  const isChangeable = next(booking.status, 'cancel') !== undefined
  return [...tasks, { label: say(isChangeable ? 'letter.action.change' : 'letter.action.see'), url: pageOf('manage') }]
}
