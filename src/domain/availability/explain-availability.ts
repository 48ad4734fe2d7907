import { chooseLocalizer } from '../../infra/i18n/choose-localizer.ts'
import { defineOperation } from '../../protocol/define-operation.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { shape } from '../../protocol/json-schemas.ts'
import type { ExplainAvailability } from '../../protocol/types.generated.ts'
import { EXPLAIN_LIMITS } from './availability-limits.ts'
import type { AvailableTime } from './available-times.ts'
import { canJoinWaitlist } from './can-join-waitlist.ts'
import { partyNotices, rangeNotices } from './closure-and-party-notices.ts'
import { DIFFERENCES, type Difference, explain } from './explain-no-times.ts'
import { assignedNotices } from './filter-times-by-resource.ts'
import { unknownService } from './find-slot.ts'
import { momentSchema, partySizeSchema, queryRange, timezoneSchema } from './read-query-range.ts'
import { milliseconds } from './service-durations.ts'
import { planOf } from './service-scheduling-plan.ts'
import { timeSlots } from './time-slot-response.ts'
import { REASONS, type Reason, reasonText } from './unavailable-reasons.ts'

export const explainAvailability = defineOperation<ExplainAvailability & { needs: Dependencies<'operations'> }>({
  id: 'explainAvailability',
  rest: 'POST /availability/explain',
  tool: 'usp_availability_explain',
  title: 'Explain why a time is not free',
  description:
    'Explains why a service is not free at a time, and returns the nearest alternatives. If the time is free, it lists the free times.',
  capability: 'dev.usp-protocol.services.availability',
  access: 'public',
  effect: 'read',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['service_id', 'start_date'],
    properties: {
      service_id: { type: 'string', minLength: 1, description: 'The service.' },
      start_date: momentSchema('First day (YYYY-MM-DD) or moment (RFC 3339 with offset).'),
      end_date: momentSchema(
        `Last day, inclusive, or moment; at most ${EXPLAIN_LIMITS.days} days in all. When left out, only the ` +
          'day or moment of start.',
      ),
      timezone: timezoneSchema,
      resource_id: { type: 'string', description: 'With this person or thing.' },
      party_size: partySizeSchema,
      location_id: { type: 'string', description: 'At this location.' },
      duration: { type: 'string', format: 'duration', description: 'Duration, ISO 8601.' },
      locale: { type: 'string', maxLength: 100, description: 'Language of names and reasons, BCP 47.' },
    },
  },
  output: {
    type: 'object',
    required: ['service_id', 'free', 'slots', 'reasons', 'instead'],
    properties: {
      service_id: { type: 'string', description: 'The requested service.' },
      free: { type: 'boolean', description: 'Whether it can be booked as requested.' },
      slots: {
        type: 'array',
        items: shape('TimeSlot'),
        description: `The first free times that match the request, at most ${EXPLAIN_LIMITS.listed}.`,
      },
      reasons: {
        type: 'array',
        description: 'Why it is not free; empty if it is free.',
        items: {
          type: 'object',
          required: ['code', 'content'],
          properties: {
            code: { type: 'string', enum: [...REASONS], description: 'The reason as a code for software.' },
            content: { type: 'string', description: 'The reason as text for the buyer, in the requested language.' },
          },
        },
      },
      instead: {
        type: 'array',
        description: 'The nearest alternatives, if it is not free.',
        items: {
          type: 'object',
          required: ['differs', 'slot'],
          properties: {
            differs: {
              type: 'string',
              enum: [...DIFFERENCES],
              description: 'How the alternative differs from the request.',
            },
            slot: shape('TimeSlot'),
          },
        },
      },
    },
  },
  summary: ({ free, slots, reasons, instead }) => {
    if (free) return `It is free: ${slots.map(({ id, start }) => `${start} (${id})`).join(', ')}.`
    const why = reasons.map(({ content }) => content).join(' ')
    const alternatives = instead.map(
      ({ differs, slot: { id, start } }) => `${DIFFERENCE_TEXTS[differs]} ${start} (${id})`,
    )
    return alternatives.length > 0 ? `${why} Instead: ${alternatives.join(', ')}.` : why
  },
  async handle({ input, db, now, business, tag, agent, operations }) {
    const { service_id, start_date, end_date = start_date, timezone, party_size: party = 1, locale } = input
    const { resource_id: resource, location_id: location } = input
    const definition = await business.get()
    const plan = planOf(definition, service_id)
    if (!plan) throw unknownService(service_id)
    const zone = timezone ?? plan.zone
    const [from, to] = queryRange(start_date, end_date, zone, EXPLAIN_LIMITS.days)
    const localizer = chooseLocalizer({ asked: locale, usual: definition?.business.language })
    const reasonWithText = (code: Reason) => ({ code, content: reasonText(localizer, plan, code, { resource }) })
    const { status = 'active' } = plan.service
    if (status !== 'active')
      return { service_id, free: false, slots: [], reasons: [reasonWithText(`service_${status}`)], instead: [] }

    const range = [from, Math.max(to, from + 1)] as const
    const duration = input.duration === undefined ? undefined : milliseconds(input.duration)
    const request = { range, party, resource, location, duration }
    const found = await explain(db, plan, request, { now, queues: canJoinWaitlist(plan, agent, operations) })
    const slotsOf = (times: AvailableTime[]) => timeSlots(tag, plan, times, { zone, locale })
    const free = found.free.length > 0
    const messages = [
      ...rangeNotices(plan, range),
      ...(free ? [...partyNotices(plan, party), ...assignedNotices(plan, resource)] : []),
    ]
    return {
      service_id,
      free,
      slots: slotsOf(found.free),
      reasons: found.reasons.map(reasonWithText),
      instead: found.instead.flatMap(({ differs, time }) => slotsOf([time]).map((slot) => ({ differs, slot }))),
      ...(messages.length > 0 && { messages }),
    }
  },
})

export const DIFFERENCE_TEXTS = {
  earlier: 'earlier',
  later: 'later',
  resource: 'with another person or thing',
  location: 'elsewhere',
  duration: 'for another duration',
} as const satisfies Record<Difference, string>
