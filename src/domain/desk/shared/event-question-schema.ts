import { rfc3339 } from '../../../infra/time/time-zone.ts'
import type { EventQuestion } from '../../busy-times/event-questions.ts'
import { moment } from './operation-defaults.ts'

export const eventQuestionsShape = {
  type: 'array',
  description: 'Changes of its event in other calendars that wait for the staff.',
  items: {
    type: 'object',
    required: ['resource_id', 'calendar', 'change'],
    properties: {
      resource_id: { type: 'string', description: 'Whose calendar.' },
      calendar: { type: 'string', description: 'Its name.' },
      change: {
        type: 'string',
        enum: ['deleted', 'put_back'],
        description: 'deleted: cancel or keep the booking. put_back: the change was refused and undone.',
      },
      tried: moment('The start that was refused.'),
      code: { type: 'string', description: 'Why it was refused.' },
    },
  },
} as const

export const toEventQuestion = ({ resource_id, calendar, question, tried, refusal }: EventQuestion, zone: string) => ({
  resource_id,
  calendar,
  change: question,
  ...(tried !== null && { tried: rfc3339(zone, tried) }),
  ...(refusal !== null && { code: refusal }),
})
