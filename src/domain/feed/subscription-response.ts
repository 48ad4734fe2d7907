import { rfc3339Exact } from '../../infra/time/time-zone.ts'
import { omitUndefined } from '../../infra/util/object-members.ts'
import type { ObjectSchema } from '../../protocol/define-operation.ts'
import { shape } from '../../protocol/json-schemas.ts'
import type { FeedSubscription } from '../../protocol/types.generated.ts'
import type { Status } from './lifecycle.ts'
import type { Subscription } from './queries.ts'

const byId: ObjectSchema = {
  type: 'object',
  required: ['subscription_id'],
  properties: { subscription_id: { type: 'string', minLength: 1, description: 'Id of the subscription.' } },
}

export const subscription: ObjectSchema = {
  type: 'object',
  required: ['subscription'],
  properties: { subscription: shape('FeedSubscription') },
}

export const onSubscription = {
  capability: 'dev.usp-protocol.services.catalog',
  access: 'privileged_platform',
  input: byId,
  output: subscription,
  summary: ({ subscription: { id, status } }: { subscription: FeedSubscription }) => `Subscription ${id} is ${status}.`,
} as const

export const toSubscription = (row: Subscription, zone: string): FeedSubscription =>
  omitUndefined({
    id: row.id,
    callback_url: row.callback_url,
    categories: row.categories ?? undefined,
    events: (row.events as FeedSubscription['events']) ?? undefined,
    status: row.status as Status,
    created_at: rfc3339Exact(zone, row.created_at),
  })
