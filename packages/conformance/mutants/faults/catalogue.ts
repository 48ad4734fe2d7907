import type { Members } from '../../caller/answer.ts'
import type { Fault } from '../fault.ts'

const services = (result: Members) => (Array.isArray(result.services) ? (result.services as Members[]) : [])

export const catalogueFaults: Fault[] = [
  {
    name: 'A page of the list repeats the first service of the page before',
    only: ['CAT', 'PAG'],
    operations: ['listServices'],
    result: (result, _, memory) => {
      const before = memory.get('first')
      memory.set('first', services(result)[0])
      return before ? { ...result, services: [before, ...services(result).slice(1)] } : undefined
    },
  },
  {
    name: 'The last page of the list says that more services follow',
    only: ['CAT', 'PAG'],
    operations: ['listServices'],
    result: (result) => ({ ...result, pagination: { ...(result.pagination as Members), has_more: true } }),
  },
  {
    name: 'An unknown service is answered with HTTP 200 and no service',
    only: ['CAT', 'LIV'],
    operations: ['getService'],
    answer: (answer, { binding }) =>
      binding === 'rest' && answer.status === 404
        ? {
            ...answer,
            status: 200,
            headers: { 'content-type': 'application/json' },
            body: '{"usp":{"version":"2026-08-20"}}',
          }
        : undefined,
  },
]
