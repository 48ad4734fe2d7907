import { listOf, success, withMember } from '../answers.ts'
import type { Fault } from '../fault.ts'

export const catalogueFaults: Fault[] = [
  {
    name: 'A page of services begins with the first service of the previous page',
    only: ['CAT', 'PAG'],
    operations: ['listServices'],
    result: (result, _, memory) => {
      const before = memory.get('first')
      const [first, ...others] = listOf(result.services)
      memory.set('first', first)
      return before ? { ...result, services: [before, ...others] } : undefined
    },
  },
  {
    name: 'The last page of services says that more services follow',
    only: ['CAT', 'PAG'],
    operations: ['listServices'],
    result: (result) => withMember(result, 'pagination', (pagination) => ({ ...pagination, has_more: true })),
  },
  {
    name: 'An unknown service gets HTTP 200 without a service',
    only: ['CAT', 'LIV'],
    operations: ['getService'],
    answer: (answer, call) => (call.binding === 'rest' && answer.status === 404 ? success(answer, call) : undefined),
  },
]
