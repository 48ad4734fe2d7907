import { defineOperation } from '../../protocol/define-operation.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { shape } from '../../protocol/json-schemas.ts'
import type { GetService } from '../../protocol/types.generated.ts'
import { describeService, statusNotice } from './describe-service.ts'
import { CACHE_SECONDS } from './page-limits.ts'
import { servicesByIds } from './queries.ts'

export const getService = defineOperation<GetService>({
  id: 'getService',
  rest: 'GET /services/{service_id}',
  tool: 'usp_services_get',
  title: 'Get a service',
  description: 'Returns one service in full: price, duration, policies, selectable resources and locations.',
  capability: 'dev.usp-protocol.services.catalog',
  access: 'public',
  effect: 'read',
  fromStandby: true,
  input: {
    type: 'object',
    required: ['service_id'],
    properties: { service_id: { type: 'string', minLength: 1, description: 'Id of the service.' } },
  },
  output: { type: 'object', required: ['service'], properties: { service: shape('Service') } },
  cache: { seconds: CACHE_SECONDS, identity: ({ service }) => service },
  summary: ({ service }) => describeService(service),
  async handle({ input, db }) {
    const [row] = await servicesByIds(db, [input.service_id])
    if (!row) throw new ProtocolError('service_not_found', `There is no service with the id ${input.service_id}.`)
    return { service: row.body, ...statusNotice(row.body) }
  },
})
