import { BOOKING_SOURCES } from '../../bookings/booking-source.ts'
import { day } from '../shared/operation-defaults.ts'

const count = (description: string) => ({ type: 'integer', minimum: 0, description })
const sum = (description: string) => ({ type: 'integer', description: `${description} In minor units.` })

const object = (properties: Record<string, object>, optional: readonly string[] = []) => ({
  type: 'object',
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
})

const list = (description: string, items: object) => ({ type: 'array', description, items })

export const reportShape = object(
  {
    start_date: day('The first day.'),
    end_date: day('The last day.'),
    bookings: list(
      'By the start of the bookings, earliest first, without gaps.',
      object({
        date: day('The day, or the first day of the week.'),
        bookings: count('Number of bookings that take place.'),
        begun: count('Number of these that have begun.'),
        no_shows: count('Number of these that were no-shows.'),
        canceled: count('Number of bookings that were canceled, declined or not completed in time.'),
      }),
    ),
    takings: list(
      'Payments and refunds of each period that has any.',
      object({
        date: day('The day, or the first day of the week.'),
        currency: { type: 'string', description: 'ISO 4217.' },
        amount: sum('Payments received.'),
        refunded: sum('Refunds, at the time of the decision.'),
      }),
    ),
    lead_times: list(
      'How long before their start the bookings were made.',
      object(
        {
          from_days: count('At least this number of days before.'),
          below_days: count('Fewer than this number of days before.'),
          bookings: count('Number of bookings.'),
        },
        ['below_days'],
      ),
    ),
    median_lead_hours: {
      type: 'number',
      description: 'The median: half of the bookings were made earlier than this before their start.',
    },
    sources: list(
      'The sources of the bookings, the most frequent first.',
      object(
        {
          came_from: {
            enum: BOOKING_SOURCES,
            description: 'The pages of the business, an assistant, a platform, or the staff.',
          },
          profile: { type: 'string', description: 'The platform; rarely used ones are counted together.' },
          bookings: count('Number of bookings.'),
        },
        ['profile'],
      ),
    ),
    utilization: list(
      'How much of the working time was booked, for each person and thing. The working time follows the ' +
        'current hours, without blocked time.',
      object({
        resource_id: { type: 'string', description: 'Id of the person or thing.' },
        name: { type: 'string', description: 'Its name.' },
        hours: list(
          'The hours of the day in which it worked or was booked.',
          object({
            hour: { type: 'integer', minimum: 0, maximum: 23, description: 'Start of the hour, local time.' },
            booked_minutes: count('Booked time on all days.'),
            working_minutes: count(
              'Working time on all days. It is less than the booked time if bookings were outside working hours.',
            ),
          }),
        ),
      }),
    ),
    waitlist: {
      ...object({
        joined: count('Number of entries that joined.'),
        offered: count('Number of these that got an offer.'),
        booked: count('Number of these that became a booking.'),
        waiting: count('Number of these that still wait.'),
      }),
      description: 'Results of the entries that joined in these days.',
    },
  },
  ['median_lead_hours'],
)
