import { planOf, resourcesOf } from '../../domain/availability/service-scheduling-plan.ts'
import { MINUTE } from '../../infra/time/time-units.ts'
import { html } from '../../infra/util/html-template.ts'
import { radioChoice } from '../pages/form-inputs.ts'
import type { DeskDependencies, DeskRequest } from './call-operation-as-staff.ts'
import { type ClickedTime, exactTimeValue, slotField } from './clicked-time-in-column.ts'
import { ROW_MINUTES } from './desk-style.ts'
import { obstacleAt, readStaffDay } from './free-time-of-person.ts'
import type { FreeTimes } from './free-times-of-week.ts'
import { toLocalInput } from './local-time-input.ts'

/** The current time begins at a row of the calendar, like a clicked time. */
const ROW = ROW_MINUTES * MINUTE

/**
 * Offers the current time with each staff member who is free now, for customers who walk in. Returns undefined if the
 * days do not contain today, if the list of slots already contains this time, or if no suitable staff member is free.
 */
export async function walkInTime(
  { serviceId, query }: { serviceId: string; query: URLSearchParams },
  { slots, zone, days }: FreeTimes,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<ClickedTime['exact']> {
  const plan = planOf(await dependencies.business.get(), serviceId)
  const from = Math.floor(dependencies.clock().getTime() / ROW) * ROW
  const local = toLocalInput(zone, from)
  const date = local.slice(0, 'YYYY-MM-DD'.length)
  if (!plan || !days.includes(date) || slots.some(({ start }) => Date.parse(start) === from)) return undefined
  const staffDay = await readStaffDay(date, deskRequest, dependencies)
  if (!staffDay) return undefined
  const wanted = query.get('with')
  const candidates = resourcesOf(plan).filter((id) => wanted === null || id === wanted)
  const free = staffDay.day.resources.filter(
    ({ id, type }) =>
      type === 'staff' && candidates.includes(id) && obstacleAt(plan, { from, person: id }, staffDay) === undefined,
  )
  if (free.length === 0) return undefined
  const now = deskRequest.request.localizer.say('desk.book.now')
  const choices = free.map(({ id, name }, nth) =>
    radioChoice(
      {
        name: slotField(date),
        value: exactTimeValue(local, id),
        isChosen: slots.length === 0 && nth === 0,
      },
      html`<span class="sr">${now} </span>${name}`,
    ),
  )
  return {
    day: date,
    option: html`<div class="time-row"><b aria-hidden="true">${now}</b><div class="chips">${choices}</div></div>`,
  }
}
