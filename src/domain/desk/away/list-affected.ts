import { zoneOf } from '../../../core/business/zone-of.ts'
import { defineOperation } from '../../../protocol/operation.ts'
import type { ListAffectedBookings } from '../../../protocol/types.generated.ts'
import { sessionShape, toSession } from '../hours/session-parts.ts'
import { MOST_CLEARED } from '../shared/limits.ts'
import { atDesk, ids } from '../shared/operation-parts.ts'
import { absenceOf, absenceProperties } from './absence.ts'
import { otherTimes } from './another-time.ts'
import { affectedShape, toAffected } from './away-parts.ts'
import { bookingsAffected, classesAffected } from './away-queries.ts'

export const listAffected = defineOperation<ListAffectedBookings>({
  ...atDesk,
  id: 'listAffectedBookings',
  rest: 'POST /business/time/affected',
  tool: 'usp_business_time_affected',
  title: 'List who is affected by an absence',
  description:
    'Who has booked a time at which somebody is not there, or a place or everything is closed, how to reach them, and for ' +
    'each another time: the same with somebody else, or else the next; no two are given the same. Nothing is changed or ' +
    `kept. Of at most ${MOST_CLEARED} bookings; decide on them with usp_business_time_clear.`,
  effect: 'read',
  mayMiss: true,
  input: { type: 'object', required: ['start', 'end'], properties: absenceProperties },
  output: {
    type: 'object',
    required: ['timezone', 'resource_ids', 'not_blocked', 'bookings', 'sessions'],
    properties: {
      timezone: { type: 'string', description: 'In which the times are given.' },
      resource_ids: ids('Whose time would be blocked.'),
      not_blocked: ids(
        'Who works at the closed place and at others as well: they can still be booked at this one, unless the ' +
          "definition's closures name it.",
      ),
      bookings: { type: 'array', items: affectedShape, description: 'Bookings, the first first.' },
      sessions: {
        type: 'array',
        items: sessionShape,
        description:
          'Classes, which stand for all who take part. They can be canceled or kept; who teaches a class is changed in ' +
          'the definition alone.',
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
