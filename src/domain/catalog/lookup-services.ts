import { defineOperation } from '../../protocol/define-operation.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { shape } from '../../protocol/json-schemas.ts'
import type { LookupServices, Message } from '../../protocol/types.generated.ts'
import { nameWithId } from './describe-service.ts'
import { CACHE_SECONDS, LOOKUP_MOST } from './page-limits.ts'
import { endOfPage, findExistingIds, servicesByIds } from './queries.ts'
import { localize } from './translate-service.ts'

export const lookupServices = defineOperation<LookupServices>({
  id: 'lookupServices',
  rest: 'POST /services/lookup',
  tool: 'usp_services_lookup',
  title: 'Look up services by id',
  description:
    'Returns the services with the given ids, up to 200 at once, in no particular order. Ids that are unknown or did not fit into the answer are named in messages.',
  capability: 'dev.usp-protocol.services.catalog',
  access: 'public',
  effect: 'read',
  fromStandby: true,
  ignores: () =>
    ['address_country', 'address_region', 'postal_code', 'coordinates', 'currency', 'intent'].map(
      (name) => `$.context.${name}`,
    ),
  input: {
    type: 'object',
    required: ['ids'],
    properties: {
      ids: {
        type: 'array',
        items: { type: 'string' },
        minItems: 1,
        description: 'Ids of the services; repeated ids count once.',
      },
      context: shape('BuyerContext'),
    },
  },
  output: {
    type: 'object',
    required: ['services'],
    properties: { services: { type: 'array', items: shape('Service') } },
  },
  cache: { seconds: CACHE_SECONDS, identity: ({ services }) => services },
  summary: ({ services }) =>
    services.length === 0 ? 'None of these services exists.' : `Found ${services.map(nameWithId).join(', ')}.`,
  async handle({ input: { ids, context }, db }) {
    if (ids.length > LOOKUP_MOST) throw tooMany(ids.length)
    const rows = await servicesByIds(db, ids)
    const foundIds = new Set(rows.map(({ body }) => body.id))
    const known = new Set(endOfPage(rows) && (await findExistingIds(db, ids)))
    const messages = [...new Set(ids)]
      .filter((id) => !foundIds.has(id))
      .flatMap((id) => (known.has(id) ? noRoom : unknownId)(id, ids.indexOf(id)))
    const services = rows.map((row) => localize(row, context?.language))
    return messages.length > 0 ? { services, messages } : { services }
  },
})

/**
 * The message codes for an unknown service id. The published protocol names `service_unresolved`, and our own
 * specification names `service_not_found`. The answer contains the two codes, so that each caller finds the code that
 * it expects.
 */
const UNKNOWN_ID_CODES = ['service_not_found', 'service_unresolved']

const unknownId = (id: string, place: number): Message[] =>
  UNKNOWN_ID_CODES.map((code) => ({
    type: 'warning',
    code,
    content: `There is no service with the id ${id}.`,
    path: `$.ids[${place}]`,
  }))

const noRoom = (id: string, place: number): Message[] => [
  {
    type: 'warning',
    code: 'answer_full',
    content: `The answer was too large to include ${id}. Look it up again, without the services in this answer.`,
    path: `$.ids[${place}]`,
  },
]

const tooMany = (count: number) =>
  new ProtocolError('validation_error', `${count} ids are too many: at most ${LOOKUP_MOST} can be looked up at once.`, {
    errors: [{ field: 'ids', message: `must hold at most ${LOOKUP_MOST} ids` }],
  })
