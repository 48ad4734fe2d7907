import { asMembers } from '../../caller/answer.ts'
import { jsonOf, withBooking, withItems, withMember } from '../answers.ts'
import type { Fault, RawAnswer } from '../fault.ts'

/** Returns a function that removes these headers from an answer. */
const withoutHeaders =
  (...names: string[]) =>
  (answer: RawAnswer): RawAnswer => ({
    ...answer,
    headers: Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !names.includes(name))),
  })

const withHeader = (name: string, value: string) => (answer: RawAnswer) => ({
  ...answer,
  headers: { ...answer.headers, [name]: value },
})

/** Changes the JSON body of an answer. */
function withJson(answer: RawAnswer, change: (json: Record<string, unknown>) => object): RawAnswer {
  return { ...answer, body: JSON.stringify(change(jsonOf(answer.body))) }
}

const isProblem = ({ headers }: RawAnswer) => headers['content-type']?.includes('problem+json') === true

/** Faults in single headers and members of answers, which are missing or have a wrong value. */
export const missingPartFaults: Fault[] = [
  {
    name: 'A validation error does not name the faulty field',
    only: ['ERR'],
    answer: (answer) => (isProblem(answer) ? withJson(answer, ({ errors, ...problem }) => problem) : undefined),
  },
  {
    name: 'Problem Details have no title',
    only: ['ERR'],
    answer: (answer) => (isProblem(answer) ? withJson(answer, ({ title, ...problem }) => problem) : undefined),
  },
  {
    name: 'A hold does not say when it ends',
    only: ['HLD'],
    operations: ['hold'],
    result: (result) => withMember(result, 'hold', ({ expires_at, ...hold }) => hold),
  },
  {
    name: 'A released hold has the status active',
    only: ['HLD'],
    operations: ['release'],
    result: (result) => withMember(result, 'hold', (hold) => ({ ...hold, status: 'active' })),
  },
  {
    name: 'The header ratelimit-remaining never changes',
    only: ['LIM'],
    answer: withHeader('ratelimit-remaining', '99'),
  },
  {
    name: 'A browser page of another origin cannot read the profile',
    only: ['TLS'],
    answer: withoutHeaders('access-control-allow-origin'),
  },
  {
    name: 'A browser page of another origin cannot read Retry-After',
    only: ['TLS'],
    answer: withoutHeaders('access-control-expose-headers'),
  },
  {
    name: 'An answer has no header X-Content-Type-Options',
    only: ['TLS'],
    answer: withoutHeaders('x-content-type-options'),
  },
  {
    name: 'A cache may store the data of a buyer',
    only: ['TLS'],
    operations: ['getBooking', 'book'],
    answer: withHeader('cache-control', 'public, max-age=60'),
  },
  {
    name: 'An answer reveals the version of the framework',
    only: ['TLS'],
    answer: withHeader('x-powered-by', 'Frame 4.2'),
  },
  {
    name: 'The list of tools does not contain the last tool',
    only: ['MCP'],
    answer: (answer) => {
      const result = asMembers(jsonOf(answer.body).result)
      if (!Array.isArray(result?.tools)) return undefined
      const shorter = withItems(result, 'tools', (tools) => tools.slice(0, -1))
      return withJson(answer, (json) => ({ ...json, result: shorter }))
    },
  },
  {
    name: 'An update does not change updated_at',
    only: ['BKG'],
    operations: ['updateBooking'],
    result: (result) => withBooking(result, (booking) => ({ ...booking, updated_at: booking.created_at })),
  },
  {
    name: 'A booking does not show its party size',
    only: ['BKG'],
    operations: ['book', 'getBooking'],
    result: (result) => withBooking(result, ({ party_size, ...booking }) => booking),
  },
  {
    name: 'A service has no policies',
    only: ['CAT', 'DEF'],
    operations: ['getService'],
    result: (result) => withMember(result, 'service', ({ policies, ...service }) => service),
  },
]
