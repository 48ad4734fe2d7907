import { waitForSlot } from '../../domain/availability/find-slot.ts'
import { planOf } from '../../domain/availability/service-scheduling-plan.ts'
import { lockAndExpire } from '../../domain/bookings/lock-and-save-booking.ts'
import { isPossible } from '../../domain/bookings/operations-by-status.ts'
import { type MoveRequest, quoteMove, reschedule } from '../../domain/bookings/quote-and-reschedule.ts'
import { html } from '../../infra/util/html-template.ts'
import { visitorAt } from '../../pipeline/page-visitor.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { isRefusal } from '../../protocol/errors.ts'
import { readTime, slotIdOf, TIME } from '../booking-flow/chosen-time.ts'
import { timesAt } from '../booking-flow/search-free-times.ts'
import { fairestFirst } from '../booking-flow/sort-times-by-workload.ts'
import { getInTouch } from '../pages/business-contact-links.ts'
import type { View } from '../pages/page-layout.ts'
import { summary } from './booking-summary.ts'
import { otherTimes } from './choose-new-time-page.ts'
import { confirmMove } from './confirm-move-page.ts'
import type { PageContext, PageKind } from './load-booking-page-context.ts'
import { MOVED, moveRefusal, shownMoveCosts } from './reschedule-costs-and-limits.ts'
import { moveSearch } from './search-new-times.ts'

export const move: PageKind = {
  async show(context, dependencies) {
    const { booking, definition, now, pathOf, query } = context
    if (!['confirmed', 'pending', 'requires_action'].includes(booking.status)) return { to: pathOf('manage') }
    const why = moveRefusal(booking, now) ?? (planOf(definition, booking.service_id) ? undefined : 'gone')
    if (why) return refused(context, why)
    if (!query.has(TIME)) return otherTimes(context, dependencies)
    const slotId = await timeToMoveTo(context, dependencies)
    if (slotId === undefined) return otherTimes(context, dependencies, 'book.gone')
    return otherTimesIfRefused(context, dependencies, () =>
      confirmMove(context, moveRequestOf(context, slotId, dependencies), dependencies),
    )
  },
  async submit(context, form, dependencies) {
    const slotId = form.get('slot') ?? ''
    const now = dependencies.clock()
    const moveRequest = moveRequestOf(context, slotId, dependencies)
    const visitor = await visitorAt(context.address, dependencies)
    return otherTimesIfRefused({ ...context, now }, dependencies, async () => {
      let wasMoved = false
      const disputed = await dependencies.makeChange(async (tx) => {
        await waitForSlot(tx, slotId)
        const booking = await lockAndExpire(tx, context.booking.id, undefined, now)
        const isDone = booking?.record.slot_id === slotId
        wasMoved = isDone
        if (!booking || isDone || !isPossible('reschedule', booking) || moveRefusal(booking, now)) return undefined
        const { costs } = await quoteMove(tx, booking, moveRequest, now)
        // The buyer agreed to the cost of the move on the page. The page can be old, so the server compares this cost
        // with the current cost.
        if (form.get('terms') !== shownMoveCosts(costs)) return booking
        await reschedule(tx, booking, { ...moveRequest, actor: 'buyer', stranger: visitor }, now)
        wasMoved = true
        return undefined
      })
      if (!disputed) return { to: `${context.pathOf('manage')}${wasMoved ? `?${MOVED}` : ''}` }
      return confirmMove({ ...context, booking: disputed, now }, moveRequest, dependencies, 'booking.move.changed')
    })
  },
}

const moveRequestOf = (
  { definition }: PageContext,
  slotId: string,
  { tag }: { tag: MoveRequest['tag'] },
): MoveRequest => ({
  definition,
  tag,
  slotId,
})

/**
 * Runs the function `act` for the chosen new time of a booking. If the new time is no longer available, returns a page
 * with a note and other times.
 */
async function otherTimesIfRefused<T>(
  context: PageContext,
  dependencies: Parameters<typeof otherTimes>[1],
  act: () => Promise<T>,
) {
  try {
    return await act()
  } catch (error) {
    if (!isRefusal(error)) throw error
    return otherTimes(context, dependencies, 'book.gone')
  }
}

function refused(context: PageContext, why: 'never' | 'too_late' | 'too_often' | 'unfinished' | 'gone'): View {
  const { pathOf, localizer } = context
  const { say } = localizer
  return {
    status: 200,
    title: say('booking.move'),
    body: html`<p class="note">${say(`booking.move.${why}`)}</p>
${why !== 'unfinished' && getInTouch(context)}
${summary(context)}
<p><a class="button plain" href="${pathOf('manage')}">${say('booking.back')}</a></p>`,
  }
}

/**
 * Returns the slot id for the new time that the buyer chose. If several slots match, the server chooses the slot with
 * the least busy people and rooms.
 */
async function timeToMoveTo(
  context: PageContext,
  { db, tag }: Dependencies<'db' | 'tag'>,
): Promise<string | undefined> {
  const { booking, definition, query, now } = context
  const plan = planOf(definition, booking.service_id)
  const chosen = readTime(query)
  if (!plan || !chosen) return undefined
  const found = await timesAt(db, plan, moveSearch(plan, context, tag), chosen)
  const [time] = await fairestFirst(db, plan, found, now)
  return time && slotIdOf(time, plan, tag)
}
