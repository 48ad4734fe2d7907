import { defineOperation } from '../../../protocol/define-operation.ts'
import { shape } from '../../../protocol/json-schemas.ts'
import { canonical } from '../../../protocol/parse-json-safely.ts'
import type { ListDeliveries } from '../../../protocol/types.generated.ts'
import { zoneOf } from '../../business/definition-facts.ts'
import { deliveryList } from './delivery-queries.ts'
import { deliverySchema, onDeliveries, STATUSES, toDelivery } from './delivery-response.ts'

const PAGE = { usual: 50, most: 200 }
const CURSOR_SECONDS = 60 * 60

export const listDeliveries = defineOperation<ListDeliveries>({
  ...onDeliveries,
  id: 'listDeliveries',
  rest: 'POST /business/deliveries/list',
  tool: 'usp_business_deliveries_list',
  title: 'List deliveries of events',
  description: 'Lists the deliveries of events to platforms, newest first.',
  effect: 'read',
  input: {
    type: 'object',
    properties: {
      status: { enum: STATUSES, description: 'Only deliveries in this status. given_up: all attempts failed.' },
      receiver: { type: 'string', description: 'Only deliveries to this receiver.' },
      subject: { type: 'string', description: 'Only deliveries about this subject, such as `booking bkg_…`.' },
      cursor: {
        type: ['string', 'null'],
        description: 'Cursor of the previous page, if any.',
      },
      limit: { type: 'integer', minimum: 1, default: PAGE.usual, description: 'Deliveries per page.' },
    },
  },
  output: {
    type: 'object',
    required: ['deliveries', 'pagination'],
    properties: { deliveries: { type: 'array', items: deliverySchema }, pagination: shape('Pagination') },
  },
  summary: ({ deliveries }) => `${deliveries.length} deliveries.`,
  async handle(context) {
    const { input, db, now, cursors } = context
    const zone = await zoneOf(context)
    const { cursor, limit = PAGE.usual, status, receiver, subject } = input
    const scope = canonical(['listDeliveries', { status, receiver, subject }])
    const [before] = cursor ? cursors.open(scope, cursor, now, CURSOR_SECONDS) : []
    const size = Math.min(limit, PAGE.most)
    const filter = { status, receiver, subject, before: before as string | undefined, limit: size + 1 }
    const rows = await deliveryList(db, filter)
    const page = rows.slice(0, size)
    const last = rows.length > size ? page.at(-1) : undefined
    return {
      deliveries: page.map((delivery) => toDelivery(delivery, zone)),
      pagination: { cursor: last ? cursors.seal(scope, [last.id], now) : null, has_more: last !== undefined },
    }
  },
})
