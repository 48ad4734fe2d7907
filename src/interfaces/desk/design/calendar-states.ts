import { planOf } from '../../../domain/availability/service-scheduling-plan.ts'
import { MINUTE } from '../../../infra/time/time-units.ts'
import { daysLater } from '../../../infra/time/time-zone.ts'
import { type Content, html } from '../../../infra/util/html-template.ts'
import type { Density } from '../calendar-density.ts'
import type { DeskRequest } from '../call-operation-as-staff.ts'
import { columnsForMove, columnsOf } from '../day-columns.ts'
import { dayEntries } from '../day-entries.ts'
import { grid } from '../day-grid.ts'
import { dayBar } from '../day-navigation-bar.ts'
import { moveNote } from '../move-booking-in-day-view.ts'
import { lists } from '../week-page.ts'
import { state } from './component-group.ts'
import { sampleBooking } from './sample-booking.ts'
import { DATE, NOW, sampleBusiness, sampleDay, ZONE } from './sample-day.ts'

/** The calendar with a card in each state: both densities, the choice of a new time, and the lists of the week. */
export async function calendarStates(owner: DeskRequest): Promise<Content> {
  const { localizer } = owner.request
  const definition = sampleBusiness()
  const hidden: ReadonlySet<string> = new Set()
  const context = (name: string, density: Density) => ({
    label: `${localizer.say('desk.day')}: ${name}`,
    zone: ZONE,
    now: NOW.getTime(),
    localizer,
    density,
  })
  // The ids of the columns contain the date, so each calendar of this page has another date.
  const dayIn = async (density: Density, date: string) => {
    const day = sampleDay(date)
    const entries = await dayEntries(day, definition, localizer)
    const columns = columnsOf(day, entries, owner, { now: NOW.getTime(), definition, hiddenColumns: hidden })
    return grid(columns, context(density, density))
  }
  const bar = dayBar(
    { title: DATE, date: DATE, today: daysLater(DATE, -1), density: 'roomy' },
    definition,
    hidden,
    owner,
  )
  // The heading of the toolbar is that of a page, so the toolbar comes last.
  return html`${state('Roomy', await dayIn('roomy', DATE))}
${state('Compact', await dayIn('compact', daysLater(DATE, 1)))}
${state('A new time for a booking', await newTime(owner, context('move', 'roomy')))}
${state('Lists of the week', await weekLists(owner, context('week', 'roomy')))}
${state('Compact lists of the week', await weekLists(owner, context('compact week', 'compact')))}
${state('Toolbar', bar)}`
}

async function newTime(owner: DeskRequest, context: Parameters<typeof grid>[1]): Promise<Content> {
  const definition = sampleBusiness()
  const day = sampleDay(daysLater(DATE, 2))
  const booking = sampleBooking('confirmed')
  const plan = planOf(definition, booking.service_id)
  if (!plan) return undefined
  const bookingToMove = { booking, plan, length: 60 * MINUTE }
  const entries = await dayEntries(day, definition, owner.request.localizer)
  const columns = columnsForMove(day, entries, owner, { bookingToMove, now: NOW.getTime() })
  return html`${moveNote(bookingToMove, owner)}
${await grid(columns, context)}`
}

async function weekLists(owner: DeskRequest, context: Parameters<typeof lists>[1]): Promise<Content> {
  const { localizer } = owner.request
  const definition = sampleBusiness()
  const week = await Promise.all(
    [0, 1, 2, 3, 4, 5, 6].map(async (nth) => {
      const day = sampleDay(daysLater(DATE, nth))
      const entries = await dayEntries(day, definition, localizer)
      return { day, heading: localizer.day(day.date), entries: entries.slice(nth * 3) }
    }),
  )
  return lists(week, context)
}
