import { expectEqual, expectList, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { expectInvalid, expectMissing } from './input-faults.ts'
import { idsOf } from './service-facts.ts'

const REQUIRED_IDS = 50
/** More ids than any client needs. The body of the request is still small. */
const MANY_IDS = 2000

const unknownIds = (count: number) => Array.from({ length: count }, (_, index) => `none${index}`)

export const catalogueLookupChecks = [
  check('CAT-052', 'A lookup finds 50 services', async ({ anonymous, services }) => {
    if (services.length < REQUIRED_IDS) throw new Skip('The catalogue has fewer than 50 services.')
    const ids = idsOf(services.slice(0, REQUIRED_IDS))
    const result = (await anonymous.call('lookupServices', { ids })).success()
    expectEqual(idsOf(expectList(result.services, 'services')).toSorted(), ids.toSorted(), 'the services')
  }),
  check('LIM-001', 'A lookup accepts 50 ids', async ({ anonymous, services }) => {
    const known = idsOf(services.slice(0, REQUIRED_IDS))
    const ids = [...known, ...unknownIds(REQUIRED_IDS - known.length)]
    const result = (await anonymous.call('lookupServices', { ids })).success()
    expectEqual(idsOf(expectList(result.services, 'services')).toSorted(), known.toSorted(), 'the services')
  }),
  check('CAT-053', 'A lookup with a repeated id returns the service once', async ({ anonymous, services }) => {
    const [first] = idsOf(services)
    const answer = await anonymous.call('lookupServices', { ids: [first, first] })
    expectEqual(idsOf(expectList(answer.success().services, 'services')), [first], 'the services')
    expectEqual(answer.messages, [], 'the messages')
  }),
  check(
    'LIV-009 CAT-055 CAT-062',
    'A lookup returns a warning for each unknown id, with its path in the request',
    async ({ anonymous, services }) => {
      const [first] = idsOf(services)
      const answer = await anonymous.call('lookupServices', { ids: ['none0', first, 'none1', 'none2'] })
      expectEqual(idsOf(expectList(answer.success().services, 'services')), [first], 'the services')
      for (const message of answer.messages) {
        for (const member of ['type', 'code', 'content'] as const)
          expectTrue(typeof message[member] === 'string', `the member ${member} in a message`, message)
        expectTrue(['warning', 'info'].includes(String(message.type)), 'the type warning or info', message)
      }
      const unresolved = answer.messages.filter(({ code }) => code === 'service_unresolved')
      expectEqual(
        unresolved.map(({ type, path }) => ({ type, path })),
        [0, 2, 3].map((index) => ({ type: 'warning', path: `$.ids[${index}]` })),
        'the messages with the code service_unresolved',
      )
    },
  ),
  check('CAT-057', 'A lookup with only unknown ids returns messages about them', async ({ anonymous }) => {
    const answer = await anonymous.call('lookupServices', { ids: ['none0', 'none1'] })
    expectEqual(answer.success().services, [], 'the services')
    expectTrue(answer.messages.length > 0, 'messages about the unknown ids', answer.result)
  }),
  check('CAT-058', 'The server refuses a lookup with an empty list of ids', async ({ anonymous }) => {
    expectInvalid(await anonymous.call('lookupServices', { ids: [] }), 'ids')
  }),
  check('CAT-059', 'The server refuses a lookup without `ids`', async ({ anonymous }) => {
    expectMissing(await anonymous.call('lookupServices'), 'ids')
  }),
  check(
    'CAT-049',
    'The tool for a single service refuses a call without service_id',
    async ({ anonymous }) => {
      expectMissing(await anonymous.call('getService'), 'service_id')
    },
    { only: 'mcp' },
  ),
  check('CAT-060 LIM-002', 'The refusal of a large lookup says how many ids are allowed', async ({ anonymous }) => {
    const answer = await anonymous.call('lookupServices', { ids: unknownIds(MANY_IDS) })
    if (answer.result) throw new Skip(`The server accepts ${MANY_IDS} ids.`)
    expectInvalid(answer)
    const text = JSON.stringify(answer.error?.members).replaceAll(/(none|ids\[)\d+/g, '')
    const numbers = [...text.matchAll(/\d+/g)].map(Number).filter((number) => number !== 422 && number !== MANY_IDS)
    expectTrue(
      numbers.some((number) => number >= REQUIRED_IDS),
      'the maximum number of ids in the refusal',
      answer.error?.members,
    )
  }),
]
