import { isStaff } from '../../protocol/caller-types.ts'
import { defineOperation } from '../../protocol/define-operation.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { shape } from '../../protocol/json-schemas.ts'
import { canonical } from '../../protocol/parse-json-safely.ts'
import type { QueryAvailability, TimeSlot } from '../../protocol/types.generated.ts'
import { statusNotice } from '../catalog/describe-service.ts'
import { MAX_QUERY_DAYS, SLOT_CURSOR_SECONDS, SLOT_PAGE } from './availability-limits.ts'
import type { AvailableTime, SearchedTime } from './available-times.ts'
import { canJoinWaitlist } from './can-join-waitlist.ts'
import { partyNotices, rangeNotices } from './closure-and-party-notices.ts'
import { assignedNotices, matchesWish } from './filter-times-by-resource.ts'
import { availableTimesInBatches, bookableRange, firstAvailableTime } from './find-available-times.ts'
import { unknownService } from './find-slot.ts'
import { emptyNotice } from './no-times-notice.ts'
import { openingHours, openingHoursSchema } from './published-opening-hours.ts'
import { momentSchema, partySizeSchema, queryRange, timezoneSchema } from './read-query-range.ts'
import { narrowPlan, planOf } from './service-scheduling-plan.ts'
import { timeSlots } from './time-slot-response.ts'
import { compareSortKeys, type SortKey, sortKeyOf } from './time-sort-key.ts'
import type { Span } from './time-spans.ts'

export const queryAvailability = defineOperation<QueryAvailability & { needs: Dependencies<'operations'> }>({
  id: 'queryAvailability',
  rest: 'POST /availability/query',
  tool: 'usp_availability_query',
  title: 'Find free times',
  description:
    'Lists the free times of a service, earliest first, with one slot for each selectable person or thing. Use the id of a slot to hold or book it.',
  capability: 'dev.usp-protocol.services.availability',
  access: 'public',
  effect: 'read',
  input: {
    type: 'object',
    required: ['service_id', 'start_date', 'end_date'],
    properties: {
      service_id: { type: 'string', minLength: 1, description: 'The service.' },
      start_date: momentSchema('First day (YYYY-MM-DD) or moment (RFC 3339 with offset).'),
      end_date: momentSchema('Last day, inclusive, or moment.'),
      timezone: timezoneSchema,
      resource_id: { type: 'string', description: 'Only times at which this person or thing is free.' },
      party_size: partySizeSchema,
      location_id: { type: 'string', description: 'Only times at this location.' },
      locale: { type: 'string', maxLength: 100, description: 'Language of names, BCP 47.' },
      cursor: {
        type: ['string', 'null'],
        description: 'Cursor of the previous page, if any.',
      },
      limit: { type: 'integer', minimum: 1, default: SLOT_PAGE.usual, description: 'Slots per page.' },
    },
  },
  output: {
    type: 'object',
    required: ['service_id', 'slots'],
    properties: {
      service_id: { type: 'string', description: 'The requested service.' },
      slots: { type: 'array', items: shape('TimeSlot'), description: 'Free times, earliest first.' },
      opening_hours: openingHoursSchema,
      pagination: shape('Pagination'),
    },
  },
  summary: ({ slots, messages = [], pagination }) => {
    if (slots.length === 0) return messages.map(({ content }) => content).join(' ')
    const more = pagination?.has_more ? [`There are more from the cursor ${pagination.cursor} on.`] : []
    const free = slots.filter((slot) => !isFull(slot))
    return [...slotsText('free', free), ...slotsText('full', slots.filter(isFull), ', to queue for'), ...more].join(' ')
  },
  async handle({ input, caller, db, now, cursors, business, tag, agent, operations }) {
    const {
      service_id,
      start_date,
      end_date,
      timezone,
      party_size: party = 1,
      resource_id,
      location_id,
      locale,
      cursor,
      limit = SLOT_PAGE.usual,
    } = input
    const definition = await business.get()
    const plan = planOf(definition, service_id)
    if (!plan || !definition) throw unknownService(service_id)
    const zone = timezone ?? plan.zone
    const range = queryRange(start_date, end_date, zone, definition.availability?.max_days ?? MAX_QUERY_DAYS)
    const hours = openingHours(definition, location_id)
    const common = { service_id, ...(hours.length > 0 && { opening_hours: hours }) }
    const closed = statusNotice({ name: plan.service.name, status: plan.service.status ?? 'active' })
    if (closed.messages) return { ...common, slots: [], pagination: { cursor: null, has_more: false }, ...closed }

    const query = { service_id, start_date, end_date, timezone, party, resource_id, location_id }
    const scope = canonical(['queryAvailability', query])
    const after = cursor ? (cursors.open(scope, cursor, now, SLOT_CURSOR_SECONDS) as SortKey) : undefined
    const queues = canJoinWaitlist(plan, agent, operations)
    const fits = (time: SearchedTime) =>
      matchesWish(time, { resource: resource_id, location: location_id }) && (time.capacity?.remaining !== 0 || queues)
    const searched = narrowPlan(plan, { ids: [resource_id], location: location_id })
    // The minimum notice before the start of a booking applies only to buyers, and not to staff members.
    const planForCaller = isStaff(caller) ? { ...plan, minAdvance: 0 } : plan
    const [from, to] = bookableRange(planForCaller, range, now)
    const most = Math.min(limit, SLOT_PAGE.most)
    const found: AvailableTime[] = []
    const remainingRange: Span = [Math.max(from, after?.[0] ?? from), to]
    const search = {
      range: remainingRange,
      party,
      now,
      wanted: most + 1,
      fits: (time: SearchedTime) => fits(time) && (!after || compareSortKeys(sortKeyOf(time), after) > 0),
    }
    for await (const part of availableTimesInBatches(db, searched, search)) {
      found.push(...part)
      if (found.length > most) break
    }
    const page = found.slice(0, most)
    const last = found.length > most ? page.at(-1) : undefined
    const isEmpty =
      found.length === 0 &&
      (!after || !(await firstAvailableTime(db, searched, { range: [from, to], party, now, fits })))
    const slotQuery = { range, zone, party, resource: resource_id, location: location_id, fits }
    const messages = [
      ...rangeNotices(plan, range),
      ...(isEmpty
        ? [await emptyNotice(db, planForCaller, slotQuery, now)]
        : [...partyNotices(plan, party), ...assignedNotices(plan, resource_id)]),
    ]
    return {
      ...common,
      slots: timeSlots(tag, plan, page, { zone, locale }),
      ...(messages.length > 0 && { messages }),
      pagination: {
        cursor: last ? cursors.seal(scope, sortKeyOf(last), now) : null,
        has_more: last !== undefined,
      },
    }
  },
})

/** The text summary lists at most this many slots. The field `slots` of the answer contains all slots of the page. */
const SLOTS_TOLD = 5

const isFull = ({ state }: TimeSlot) => state === 'waitlist'

function slotsText(kind: string, slots: readonly TimeSlot[], what = ''): string[] {
  if (slots.length === 0) return []
  const count = slots.length === 1 ? `One ${kind} time` : `${slots.length} ${kind} times`
  const rest = slots.length > SLOTS_TOLD ? ', of which the first' : ''
  const listed = slots.slice(0, SLOTS_TOLD).map(({ id, start }) => `${start} (${id})`)
  return [`${count}${what}${rest}: ${listed.join(', ')}.`]
}
