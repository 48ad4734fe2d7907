import { canConfirmAttendance, confirmAttendance } from '../../domain/bookings/confirm-attendance.ts'
import { html } from '../../infra/util/html-template.ts'
import { summary } from './booking-summary.ts'
import type { PageKind } from './load-booking-page-context.ts'

/**
 * The page where the buyer confirms that they will come. Opening the page changes nothing, because mail programs open
 * the links of a mail to scan them.
 */
export const attend: PageKind = {
  show(context) {
    const { booking, now, pathOf, localizer } = context
    const { say } = localizer
    // The booking page shows the confirmation, or why no confirmation is possible.
    if (!canConfirmAttendance(booking, now)) return { to: pathOf('manage') }
    return {
      status: 200,
      title: say('booking.attend.title'),
      body: html`${summary(context)}
<form method="post"><button>${say('booking.attend.do')}</button></form>
<p><a class="button plain" href="${pathOf('manage')}">${say('letter.action.change')}</a></p>`,
    }
  },
  async submit(context, _, dependencies) {
    await dependencies.makeChange((tx) => confirmAttendance(tx, context.booking.id, dependencies.clock()))
    return { to: context.pathOf('manage') }
  },
}
