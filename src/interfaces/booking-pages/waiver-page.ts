import { isSafeWebUrl } from '../../core/business/contact-channels.ts'
import { awaits } from '../../domain/bookings/buyer-tasks.ts'
import { completeTask } from '../../domain/bookings/complete-buyer-task.ts'
import { lockAndExpire } from '../../domain/bookings/lock-and-save-booking.ts'
import { html } from '../../infra/util/html-template.ts'
import { shortSummary } from './booking-summary.ts'
import { taskStatusView } from './closed-task-page.ts'
import { deadlineText, nextTask, openTasks } from './list-open-tasks.ts'
import type { PageKind } from './load-booking-page-context.ts'

export const waiver: PageKind = {
  show(context) {
    const { booking, definition, localizer } = context
    const { say } = localizer
    const { text = '', url = '' } = booking.record.waiver ?? {}
    return (
      taskStatusView(context, 'waiver') ?? {
        status: 200,
        title: say('booking.waiver'),
        body: html`${shortSummary(context)}
<p>${say('booking.waiver.text', { business: definition.business.name })} ${deadlineText(context)}</p>
<h2 id="text">${say('booking.waiver.what')}</h2>
<div class="text" dir="auto" lang="${definition.business.language ?? 'en'}" role="region" aria-labelledby="text">${text}</div>
${isSafeWebUrl(url) && html`<p><a class="way" href="${url}" rel="noreferrer">${say('booking.waiver.full')}</a></p>`}
<form method="post"><button>${say('booking.waiver.agree')}</button></form>
${openTasks(context, 'waiver')}`,
      }
    )
  },
  async submit(context, _, dependencies) {
    const now = dependencies.clock()
    const done = await dependencies.makeChange(async (tx) => {
      const booking = await lockAndExpire(tx, context.booking.id, undefined, now)
      if (!booking || !awaits(booking, 'waiver')) return booking
      return completeTask(tx, booking, { task: 'waiver', actor: 'buyer' }, now)
    })
    return nextTask(done, context)
  },
}
