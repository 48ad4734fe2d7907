import type { ObjectSchema } from '../protocol/operation.ts'
import { shape } from '../protocol/schemas.ts'

/** What the operations on one subscription take and give alike. */
export const byId: ObjectSchema = {
  type: 'object',
  required: ['subscription_id'],
  properties: { subscription_id: { type: 'string', minLength: 1, description: 'Id of the subscription.' } },
}

export const subscription: ObjectSchema = {
  type: 'object',
  required: ['subscription'],
  properties: { subscription: shape('FeedSubscription') },
}
