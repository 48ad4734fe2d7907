import { zoneOf } from '../../core/business/definition-facts.ts'
import { keep } from '../../domain/desk/bookings/keep-affected-booking.ts'
import { shortMomentText } from '../../infra/i18n/format-times.ts'
import type { Localizer, Message } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { GetBusinessBooking } from '../../protocol/types.generated.ts'
import { type DeskDependencies, type DeskRequest, isAllowed } from './call-operation-as-staff.ts'

type EventQuestions = NonNullable<GetBusinessBooking['output']['details']['events']>

const REASONS: ReadonlyMap<string, Message> = new Map([
  ['booking_window_violated', 'failure.window'],
  ['reschedule_not_allowed', 'desk.elsewhere.not_movable'],
  ['invalid_transition', 'desk.elsewhere.not_movable'],
])

/** Says what a person did with the event of a booking in another calendar, and why the server put it back. */
export async function eventQuestionsText(
  events: EventQuestions,
  localizer: Localizer,
  dependencies: DeskDependencies,
): Promise<string> {
  const zone = await zoneOf(dependencies)
  const { say } = localizer
  const texts = events.map(({ calendar, change, tried, code }) => {
    if (change === 'deleted') return say('desk.elsewhere.deleted', { calendar })
    const reason = say(REASONS.get(code ?? '') ?? 'desk.elsewhere.not_free')
    return tried === undefined
      ? say('desk.elsewhere.changed', { calendar })
      : say('desk.elsewhere.put_back', { calendar, time: shortMomentText(localizer, new Date(tried), zone), reason })
  })
  return texts.join(' ')
}

/** The button that keeps the booking. If its event was deleted, the server writes the event again. */
export const keepText = (events: EventQuestions): Message =>
  events.some(({ change }) => change === 'deleted') ? 'desk.elsewhere.write_again' : 'desk.away.keep'

/** The note on the page of a booking whose event was deleted or changed in another calendar. */
export async function eventQuestionsNote(
  { events }: GetBusinessBooking['output']['details'],
  { who, request: { localizer } }: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Content> {
  if (events === undefined) return undefined
  return html`<div class="note wrong"><p>${await eventQuestionsText(events, localizer, dependencies)}</p>
${isAllowed(who, keep) && html`<form method="post"><button class="plain" name="do" value="keep">${localizer.say(keepText(events))}</button></form>`}</div>`
}
