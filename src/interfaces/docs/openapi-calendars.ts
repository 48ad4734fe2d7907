import { bookingCalendar } from '../../domain/calendar/get-booking-calendar.ts'
import { FEED_PATH } from '../../domain/calendar/manage-calendar-feeds.ts'
import { REST_BASE } from '../../protocol/base-url-paths.ts'
import { restRouteOf } from '../../protocol/define-operation.ts'
import { type Schema, shape } from '../../protocol/json-schemas.ts'

const file = { 'text/calendar': { schema: { type: 'string' } } }
const problem = { $ref: '#/components/responses/Problem' }

/** The REST paths of the calendar files (iCalendar). MCP has no tools for these files. */
export const calendarPaths = (described: { responses: object }) => ({
  [REST_BASE + restRouteOf(bookingCalendar).path]: {
    get: {
      ...described,
      responses: {
        ...described.responses,
        200: {
          description: 'The iCalendar file; JSON if the business refuses.',
          content: { ...file, 'application/json': { schema: refusal } },
        },
      },
    },
  },
  [FEED_PATH.replace(':token', '{token}')]: {
    get: {
      operationId: 'readCalendar',
      summary: 'Follow the calendar of the business or of one resource',
      description:
        'For calendar programs of the staff. The address is a secret that the staff create, share and revoke.',
      tags: ['Calendars'],
      security: [],
      parameters: [
        {
          name: 'token',
          in: 'path',
          required: true,
          description: 'The secret of the address.',
          schema: { type: 'string' },
        },
      ],
      responses: {
        200: { description: 'Future events, and those of the last 30 days.', content: file },
        304: { description: 'Unchanged since the ETag in the request.' },
        404: problem,
        429: problem,
        503: problem,
      },
    },
  },
})

const refusal: Schema = {
  type: 'object',
  required: ['usp', 'messages'],
  properties: { usp: shape('response_schema'), messages: { type: 'array', items: shape('Message') } },
}
