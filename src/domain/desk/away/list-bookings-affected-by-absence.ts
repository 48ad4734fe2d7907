import { zoneOf } from '../../../core/business/definition-facts.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import type { ListAffectedBookings } from '../../../protocol/types.generated.ts'
import { sessionShape, toSession } from '../hours/class-session-schema.ts'
import { MOST_CLEARED } from '../shared/desk-list-limits.ts'
import { atDesk, ids } from '../shared/operation-defaults.ts'
import { absenceOf, absenceProperties } from './absence.ts'
import { bookingsAffected, classesAffected } from './absence-queries.ts'
import { affectedShape, toAffected } from './absence-schema.ts'
import { otherTimes } from './suggest-other-times.ts'

export const listAffected = defineOperation<ListAffectedBookings>({
  ...atDesk,
  id: 'listAffectedBookings',
  rest: 'POST /business/time/affected',
  tool: 'usp_business_time_affected',
  title: 'List the bookings that an absence affects',
  description:
    'Lists the bookings and classes at a time when a resource is absent, or a location or the whole business ' +
    'is closed. Each booking has the contact data of its buyer and an alternative: the same ' +
    'time with another resource, or else the next time. Nothing is changed or reserved. Up to ' +
    `${MOST_CLEARED} bookings; decide on them with usp_business_time_clear.`,
  effect: 'read',
  mayMiss: true,
  input: { type: 'object', required: ['start', 'end'], properties: absenceProperties },
  output: {
    type: 'object',
    required: ['timezone', 'resource_ids', 'not_blocked', 'bookings', 'sessions'],
    properties: {
      timezone: { type: 'string', description: 'Time zone of the times.' },
      resource_ids: ids('Resources whose time would be blocked.'),
      not_blocked: ids(
        'Resources that work at the closed location and at others as well. They can still be booked at the ' +
          'closed one, unless the closures in the definition name it.',
      ),
      bookings: { type: 'array', items: affectedShape, description: 'The affected bookings, earliest first.' },
      sessions: {
        type: 'array',
        items: sessionShape,
        description:
          'The affected classes, each with all its bookings. A class can be canceled or kept; its teacher is ' +
          'changed only in the definition.',
      },
    },
  },
  summary: ({ bookings, sessions }) =>
    `${bookings.length === 1 ? 'One booking' : `${bookings.length} bookings`} and ` +
    `${sessions.length === 1 ? 'one class' : `${sessions.length} classes`} are affected.`,
  async handle(context) {
    const { input, db, now, business, tag } = context
    const definition = await business.get()
    const away = absenceOf(definition, input)
    const [bookings, classes, zone] = await Promise.all([
      bookingsAffected(db, away, now),
      classesAffected(db, away, now),
      zoneOf(context),
    ])
    const times = await otherTimes(db, bookings, { away, definition, now })
    return {
      timezone: zone,
      resource_ids: away.resources,
      not_blocked: away.elsewhere,
      bookings: bookings.map((row) => toAffected(row, times.get(row.id), tag)),
      sessions: classes.map((row) => toSession(row, zone)),
    }
  },
})
