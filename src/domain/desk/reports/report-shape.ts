import { BOOKING_SOURCES } from '../../bookings/booking-source.ts'
import { day } from '../shared/operation-parts.ts'

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
      'By when they begin, the earliest first; none is left out.',
      object({
        date: day('The day, or the first day of the week.'),
        bookings: count('How many take place.'),
        begun: count('Of them, how many have begun.'),
        no_shows: count('Of them, to how many nobody came.'),
        canceled: count('How many were canceled, declined or not completed in time.'),
      }),
    ),
    takings: list(
      'What came in and what went back, where anything did.',
      object({
        date: day('The day, or the first day of the week.'),
        currency: { type: 'string', description: 'ISO 4217.' },
        amount: sum('What came in.'),
        refunded: sum('What went back, when that was decided.'),
      }),
    ),
    lead_times: list(
      'How long before they begin the bookings were made.',
      object(
        {
          from_days: count('So many days before, or more.'),
          below_days: count('And less than so many.'),
          bookings: count('How many.'),
        },
        ['below_days'],
      ),
    ),
    median_lead_hours: {
      type: 'number',
      description: 'Half of the bookings were made earlier than this before they begin.',
    },
    sources: list(
      'Where the bookings came from, the most frequent first.',
      object(
        {
          came_from: {
            enum: BOOKING_SOURCES,
            description: 'On the pages of the business, through an assistant, through a platform, or by the staff.',
          },
          profile: { type: 'string', description: 'Which platform; those that are rarely used are counted together.' },
          bookings: count('How many.'),
        },
        ['profile'],
      ),
    ),
    utilization: list(
      'How much of the time in which they work, by the hours in force and without what is blocked, people and things were booked.',
      object({
        resource_id: { type: 'string', description: 'Who or what.' },
        name: { type: 'string', description: 'Its name.' },
        hours: list(
          'The hours of the day in which it works or was booked.',
          object({
            hour: { type: 'integer', minimum: 0, maximum: 23, description: 'From then on, on the clock.' },
            booked_minutes: count('Booked, on all days.'),
            working_minutes: count('Worked, on all days. Less than what was booked where that was outside hours.'),
          }),
        ),
      }),
    ),
    waitlist: {
      ...object({
        joined: count('How many joined.'),
        offered: count('Of them, how many were offered a time or a place.'),
        booked: count('Of them, how many booked it.'),
        waiting: count('Of them, how many are still in line.'),
      }),
      description: 'What came of those who joined in these days.',
    },
  },
  ['median_lead_hours'],
)
