import type { BusinessDefinition, OpeningWindow } from '../../protocol/types.generated.ts'

interface OpeningHours {
  day_of_week: OpeningWindow['days']
  opens: string
  closes: string
}

/**
 * The usual weekly opening hours of the business or of one location. The result leaves out closures and special hours.
 */
export function openingHours({ hours, locations = [] }: BusinessDefinition, location?: string): OpeningHours[] {
  const usualHours = locations.find(({ id }) => id === location)?.hours ?? hours
  return (usualHours ?? []).map(({ days, opens, closes }) => ({ day_of_week: days, opens, closes }))
}

export const openingHoursSchema = {
  type: 'array',
  description:
    'The regular week, in the time zone of the business. Days off have no slots. Days with special hours have ' +
    'slots in these hours.',
  items: {
    type: 'object',
    required: ['day_of_week', 'opens', 'closes'],
    properties: {
      day_of_week: { type: 'array', items: { type: 'string' }, description: 'Days of the week, such as monday.' },
      opens: { type: 'string', description: 'Local time, HH:MM.' },
      closes: { type: 'string', description: 'Local time, HH:MM; 24:00 and 00:00 are the end of the day.' },
    },
  },
}
