import type { ObjectSchema } from '../protocol/operation.ts'
import { shape } from '../protocol/schemas.ts'
import type { FeedSubscription } from '../protocol/types.generated.ts'

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

/** What the operations on one subscription have in common. */
export const onSubscription = {
  capability: 'dev.usp-protocol.services.catalog',
  access: 'privileged_platform',
  input: byId,
  output: subscription,
  summary: ({ subscription: { id, status } }: { subscription: FeedSubscription }) => `Subscription ${id} is ${status}.`,
} as const
