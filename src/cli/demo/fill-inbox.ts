import { claimPayment } from '../../domain/bookings/report-payment-by-buyer.ts'
import { HOUR, MINUTE } from '../../infra/time/time-units.ts'
import { startOfDay } from '../../infra/time/time-zone.ts'
import { bookVisit } from './book-visit.ts'
import { inventedPeople } from './invented-people.ts'
import type { StoryFrame, Visit } from './plan-visits.ts'
import { eventOf, type StoryEvent } from './story-agenda.ts'
import type { StoryTeller } from './story-teller.ts'

/** The columns: the service, the open days from today, the wished hour, the minutes since the booking, and the person. */
const OPEN: readonly [service: string, day: number, hour: number, minutes: number, person: number][] = [
  ['svc_consult', 3, 14, 95, 20],
  ['svc_massage', 4, 15, 75, 41],
  ['svc_consult', 5, 11, 35, 10],
]
/** The buyer of the massage reports the payment this many minutes ago. */
const CLAIMED_MINUTES = 25

/**
 * Leaves three things to do in the inbox: two requests to approve, and an unpaid booking whose buyer says that they have
 * paid. They are the last events of the story, because the server ends open requests after a day.
 */
export function inboxEvents(teller: StoryTeller, { days, zone, toldAt }: StoryFrame): StoryEvent[] {
  const ahead = days.filter(({ isOpen, offset, weekday }) => isOpen && offset >= 0 && weekday !== 0)
  return OPEN.flatMap(([service, day, hour, minutes, personNth], nth): StoryEvent[] => {
    const [person, date] = [inventedPeople[personNth], ahead[day]?.date]
    if (!person || date === undefined) return []
    const bookedAt = toldAt - minutes * MINUTE
    const wish = startOfDay(zone, date) + hour * HOUR
    const visit: Visit = {
      ...{ key: `open ${nth}`, service, date, wish, person, party: 1, way: 'page', bookedAt },
      ...{ fate: 'kept', isLeftOpen: true },
    }
    return [{ at: bookedAt, run: () => bookOpen(teller, visit) }]
  })
}

async function bookOpen(teller: StoryTeller, visit: Visit): Promise<StoryEvent[]> {
  const booking = await bookVisit(teller, visit)
  if (booking?.status !== 'requires_action') return []
  const at = teller.toldAt.getTime() - CLAIMED_MINUTES * MINUTE
  return [
    eventOf(teller, `${visit.key} claim`, at, ({ runtime }) =>
      runtime.makeChange((tx) => claimPayment(tx, booking.id, runtime.clock())),
    ),
  ]
}
