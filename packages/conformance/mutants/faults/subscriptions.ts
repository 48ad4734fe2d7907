import { randomUUID } from 'node:crypto'
import { codeOf, fromMemory, listOf, success, withMember } from '../answers.ts'
import type { Fault, SeenCall } from '../fault.ts'

const only = ['FEED', 'EVT']

const subscribed = ({ input: { callback_url } }: SeenCall) => ({
  subscription: { id: `sub_${randomUUID()}`, callback_url, status: 'active', created_at: new Date().toISOString() },
})

export const subscriptionFaults: Fault[] = [
  {
    name: 'The server accepts a callback without https',
    only,
    operations: ['subscribe'],
    answer: (answer, call) =>
      codeOf(answer, call) === 'validation_error' && String(call.input.callback_url).startsWith('http:')
        ? success(answer, call, subscribed(call))
        : undefined,
  },
  {
    name: 'A read of a paused subscription shows the status active',
    only,
    operations: ['getSubscription'],
    result: (result) =>
      withMember(result, 'subscription', (subscription) =>
        subscription.status === 'paused' ? { ...subscription, status: 'active' } : undefined,
      ),
  },
  {
    name: 'A platform can read the subscription of another platform',
    only: ['FEED', 'EVT', 'AUT'],
    operations: ['subscribe', 'getSubscription'],
    ...fromMemory('subscription', 'subscription_id'),
  },
  {
    name: 'A subscription does not show its categories',
    only,
    operations: ['subscribe', 'getSubscription'],
    result: (result) => withMember(result, 'subscription', ({ categories, ...subscription }) => subscription),
  },
  {
    name: 'The server accepts a subscription with an unknown event type',
    only,
    operations: ['subscribe'],
    answer: (answer, call) =>
      codeOf(answer, call) === 'validation_error' && listOf(call.input.events).length > 0
        ? success(answer, call, subscribed(call))
        : undefined,
  },
]
