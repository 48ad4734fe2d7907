import { lockAndExpire } from '../../bookings/change-booking.ts'
import { completeTask } from '../../bookings/complete-task.ts'
import { awaits } from '../../bookings/tasks.ts'
import { html } from '../pages/html.ts'
import { deadlineText, openTasks } from './open-tasks.ts'
import type { PageKind } from './page-kind.ts'
import { summary } from './summary.ts'
import { taskStatusView } from './task-status.ts'

/** Where the buyer agrees to a text. */
export const waiver: PageKind = {
  show(context) {
    const { booking, definition } = context
    const { text = '', url = '' } = booking.record.waiver ?? {}
    return (
      taskStatusView(context, 'waiver') ?? {
        status: 200,
        title: 'Please read and agree',
        body: html`<p>${definition.business.name} asks you to agree to this before your booking is confirmed. ${deadlineText(context)}</p>
${summary(context)}
<h2 id="text">What you agree to</h2>
<div class="text" lang="${definition.business.language ?? 'en'}" role="region" aria-labelledby="text">${text}</div>
${/^https?:/i.test(url) && html`<p><a href="${url}" rel="noreferrer">Read it in full</a></p>`}
<form method="post"><button>I agree</button></form>
${openTasks(context, 'waiver')}`,
      }
    )
  },
  async submit({ booking: { id } }, _, means) {
    const now = means.clock()
    await means.makeChange(async (tx) => {
      const booking = await lockAndExpire(tx, id, undefined, now)
      if (booking && awaits(booking, 'waiver')) await completeTask(tx, booking, 'waiver', { actor: 'buyer' }, now)
    })
    return undefined
  },
}
