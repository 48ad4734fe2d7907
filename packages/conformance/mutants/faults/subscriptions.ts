import { randomUUID } from 'node:crypto'
import type { Members } from '../../caller/answer.ts'
import type { Fault, SeenCall } from '../fault.ts'
import { codeOf, isNotFound, listOf, success } from './error-answers.ts'

const only = ['FEED', 'EVT']
const subscriptionOf = (result: Members) => result.subscription as Members

const subscribed = ({ input: { callback_url } }: SeenCall) => ({
  subscription: { id: `sub_${randomUUID()}`, callback_url, status: 'active', created_at: new Date().toISOString() },
})

export const subscriptionFaults: Fault[] = [
  {
    name: 'A callback without encryption is accepted',
    only,
    operations: ['subscribe'],
    answer: (answer, call) =>
      codeOf(answer) === 'validation_error' && String(call.input.callback_url).startsWith('http:')
        ? success(answer, call, subscribed(call))
        : undefined,
  },
  {
    name: 'A paused subscription is read as active',
    only,
    operations: ['getSubscription'],
    result: (result) => {
      const subscription = subscriptionOf(result)
      if (subscription.status !== 'paused') return undefined
      return { ...result, subscription: { ...subscription, status: 'active' } }
    },
  },
  {
    name: 'A platform reads the subscription of another platform',
    only: ['FEED', 'EVT', 'AUT'],
    operations: ['subscribe', 'getSubscription'],
    result: (result, _, memory) => {
      memory.set(String(subscriptionOf(result).id), result)
      return undefined
    },
    answer: (answer, call, memory) => {
      const known = memory.get(String(call.input.subscription_id)) as Members | undefined
      return known && isNotFound(answer) ? success(answer, call, known) : undefined
    },
  },
  {
    name: 'A subscription to some categories is confirmed without them',
    only,
    operations: ['subscribe', 'getSubscription'],
    result: (result) => {
      const { categories, ...subscription } = subscriptionOf(result)
      return { ...result, subscription }
    },
  },
  {
    name: 'An unknown type of event in a subscription is left out silently',
    only,
    operations: ['subscribe'],
    answer: (answer, call) =>
      codeOf(answer) === 'validation_error' && listOf(call.input.events).length > 0
        ? success(answer, call, subscribed(call))
        : undefined,
  },
]
