import { clearTime } from '../../domain/desk/away/clear-bookings-for-absence.ts'
import { blockTime } from '../../domain/desk/hours/block-time.ts'
import { DAY, HOUR, MINUTE } from '../../infra/time/time-units.ts'
import { rfc3339, startOfDay } from '../../infra/time/time-zone.ts'
import { asStaff } from './call-operations.ts'
import type { DemoSimulation } from './demo-simulation.ts'
import type { SimulationFrame } from './plan-visits.ts'
import { eventOf, type SimulatedEvent } from './simulated-event-queue.ts'

/**
 * The blocked times. The columns are: number of open days from today, person or room, first and last hour, and reason.
 */
const BLOCKS: readonly [day: number, resource: string, from: number, to: number, reason: string][] = [
  [0, 'staff_jane', 12, 12.5, 'Lunch'],
  [0, 'staff_mei', 13, 13.75, 'Lunch'],
  [1, 'staff_jane', 12, 12.5, 'Lunch'],
  [1, 'staff_alex', 16, 17, 'Training of the apprentice'],
  [2, 'room_2', 10, 12, 'Repair of the heating'],
  [3, 'staff_jane', 9, 10, 'Visit of a supplier'],
]
/** The future absence of a staff member: two whole days, on the seventh and eighth open day from today. */
const [AWAY, AWAY_FROM, AWAY_DAYS, AWAY_REASON] = ['staff_alex', 6, 2, 'Course in Boston']

/** Returns the events in which the staff block times. They come first in the simulation, before any booking. */
export function closingEvents(simulation: DemoSimulation, { days, zone }: SimulationFrame): SimulatedEvent[] {
  const ahead = days.filter(({ isOpen, offset, weekday }) => isOpen && offset >= 0 && weekday !== 0)
  const at = startOfDay(zone, days[0]?.date ?? '') - 20 * DAY
  const momentOf = (date: string, hours: number) => rfc3339(zone, startOfDay(zone, date) + hours * HOUR)
  const blocks = BLOCKS.map(([day, resource_id, from, to, reason], nth) =>
    eventOf(simulation, `block ${nth}`, at + nth * MINUTE, async (moment) => {
      const date = ahead[day]?.date ?? ''
      const input = { resource_id, start: momentOf(date, from), end: momentOf(date, to), reason }
      moment.note(`block ${(await asStaff(moment, blockTime, input)).block.id}`)
    }),
  )
  const absence = eventOf(simulation, 'absence', at + BLOCKS.length * MINUTE, async (moment) => {
    const [first, last] = [ahead[AWAY_FROM]?.date ?? '', ahead[AWAY_FROM + AWAY_DAYS - 1]?.date ?? '']
    const input = { resource_id: AWAY, start: momentOf(first, 0), end: momentOf(last, 24), reason: AWAY_REASON }
    const { blocks } = await asStaff(moment, clearTime, input)
    for (const { id } of blocks) moment.note(`block ${id}`)
  })
  return [...blocks, absence]
}
