import { type Content, html } from '../pages/html.ts'
import { notes, state } from './booking-state.ts'
import { termsOf } from './cancellation.ts'
import { getInTouch } from './get-in-touch.ts'
import { openTasks } from './open-tasks.ts'
import type { PageContext } from './page-context.ts'
import type { PageKind } from './page-kind.ts'
import { summary } from './summary.ts'
import { refund } from './task-status.ts'

/** Where the buyer sees the booking, and what can be done about it. Nothing is changed here by one press. */
export const manage: PageKind = {
  show: (context) => ({
    status: 200,
    title: context.speech.say('booking.title'),
    body: html`<p class="note">${state(context)}</p>
${context.booking.status === 'canceled' && refund(context)}
${notes(context)}
${openTasks(context)}
${summary(context)}
${actions(context)}`,
  }),
}

function actions(context: PageContext): Content {
  const { booking, now, pathOf, speech } = context
  const { say } = speech
  const terms = termsOf(booking, now)
  return html`${terms?.allowed && html`<p><a class="button danger" href="${pathOf('cancel')}">${say('booking.cancel')}</a></p>`}
${terms?.allowed === false && html`<p class="soft">${say(`booking.cancel.${terms.why}`)}</p>${getInTouch(context)}`}`
}
