import { expectEqual, expectList, expectMembers, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { idsOf, withoutHint } from './service-facts.ts'

export const catalogueChecks = [
  check('CAT-001 CAT-063 CAT-064', 'An anonymous caller can list the services', async ({ anonymous }) => {
    const result = (await anonymous.call('listServices')).success()
    expectList(result.services, 'services')
    const pagination = expectMembers(result.pagination, 'pagination')
    expectTrue('cursor' in pagination && 'has_more' in pagination, '`cursor` and `has_more` in pagination', pagination)
    expectEqual(expectMembers(result.usp, 'usp').version, '2026-08-20', 'usp.version')
  }),
  check(
    'CAT-006 CAT-007 CAT-008',
    'Following the cursors returns each service exactly once',
    async ({ anonymous, services }) => {
      if (services.length < 2) throw new Skip('The catalogue has fewer than two services.')
      const ids: unknown[] = []
      let cursor: unknown
      do {
        const pagination = { limit: 1, ...(cursor !== undefined && { cursor }) }
        const result = (await anonymous.call('listServices', { pagination })).success()
        const page = expectList(result.services, 'services')
        expectEqual(page.length, 1, 'the number of services on a page with the limit 1')
        ids.push(page[0]?.id)
        const { cursor: next, has_more } = expectMembers(result.pagination, 'pagination')
        expectEqual(has_more, next !== null, 'has_more')
        cursor = next
      } while (cursor !== null && ids.length <= services.length)
      expectEqual(ids.toSorted(), idsOf(services).toSorted(), 'the services of all pages')
    },
  ),
  check(
    'CAT-046 CAT-050 CAT-066',
    'A service looks the same alone and in the list',
    async ({ anonymous, services, schemas }) => {
      for (const service of services.slice(0, 5)) {
        const result = (await anonymous.call('getService', { service_id: service.id })).success()
        schemas.expectValid('catalog#Service', result.service, 'the service')
        expectEqual(withoutHint(result.service), withoutHint(service), 'the service')
      }
    },
  ),
  check(
    'CAT-047 CAT-048 LIV-007 LIV-008',
    'The server answers a read of an unknown service with service_not_found',
    async ({ anonymous }) => {
      const answer = await anonymous.call('getService', { service_id: 'svc_of_no_business' })
      answer.failsWith('service_not_found')
    },
  ),
]
