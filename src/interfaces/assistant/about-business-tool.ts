import { contactChannelsOf } from '../../core/business/contact-channels.ts'
import { openingHours } from '../../domain/availability/published-opening-hours.ts'
import { dateIn } from '../../infra/time/time-zone.ts'
import { idAndName, lines, momentText, quoted, shortened } from './quote-untrusted-text.ts'
import { defineTool } from './tool-definition.ts'

const MOST = 10

export const aboutBusiness = defineTool<object>({
  name: 'about_business',
  title: 'About the business',
  description: 'Opening hours, days off, locations and their ids, contact data, and the local time of the business.',
  input: { properties: {} },
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run(_, { definition, now }) {
    const { business, locations = [], closures = [] } = definition
    const today = dateIn(business.timezone, now.getTime())
    const hours = openingHours(definition).map(
      ({ day_of_week, opens, closes }) => `${day_of_week.join(', ')}: ${opens}–${closes}`,
    )
    const daysOff = closures.filter(({ to }) => to >= today).slice(0, MOST)
    const reach = contactChannelsOf(definition).map(({ by, text }) => ({ by, text: shortened(text, 200) }))
    const places = locations.slice(0, MOST).map(({ id, name, address }) => ({
      ...idAndName({ id, name }),
      ...(address && { address: shortened(address, 200) }),
    }))
    const time = `${momentText(business.timezone, now.getTime())} (${business.timezone})`
    return {
      text: lines(
        `${quoted(business.name)}. It is ${time} there.`,
        hours.length > 0 && `Usually open, local time: ${hours.join('; ')}.`,
        ...daysOff.map(({ from, to, reason, locations: at }) =>
          [`Closed ${from} to ${to}`, at && `at ${at.join(', ')}`, reason && quoted(reason)].filter(Boolean).join(' '),
        ),
        ...places.map(
          ({ id, name, address }) => `Place ${id} ${quoted(name)}${address ? `, ${quoted(address, 200)}` : ''}`,
        ),
        ...reach.map(({ by, text }) => `By ${by}: ${quoted(text, 200)}`),
        'Next: call find_services for the services that can be booked.',
      ),
      data: {
        their_words: { name: shortened(business.name, 100) },
        timezone: business.timezone,
        local_time: time,
        hours,
        days_off: daysOff.map(({ from, to, locations: at }) => ({ from, to, ...(at && { location_ids: at }) })),
        places,
        reach,
      },
    }
  },
})
