import type { Members } from '../../caller/answer.ts'
import type { Caller } from '../../caller/caller.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectMembers } from '../../run/expectations.ts'

export const needs = ['services.catalog.subscriptions']

export interface Subscription extends Members {
  id: string
  status: string
}

/** Subscribes to changes of the catalogue with a new callback address. Unsubscribes after the check. */
export async function subscribe(
  c: CheckContext,
  { caller = c.caller, ...input }: Members & { caller?: Caller } = {},
): Promise<Subscription> {
  const callback_url = `${c.platform.hosted.address}/catalogue/${crypto.randomUUID()}`
  const { subscription } = (await caller.call('subscribe', { callback_url, ...input })).success()
  const { id, ...others } = expectMembers(subscription, 'subscription')
  c.afterwards(() => caller.call('unsubscribe', { subscription_id: id }))
  return { ...others, id: String(id), status: String(others.status) }
}

/** The operations on an existing subscription. */
export const onSubscription = ['getSubscription', 'pauseSubscription', 'resumeSubscription', 'unsubscribe'] as const
export type SubscriptionOperation = (typeof onSubscription)[number]

/** Calls an operation on a subscription, and returns the status of the subscription. */
export async function statusAfter(
  c: CheckContext,
  name: SubscriptionOperation,
  { id }: Subscription,
): Promise<unknown> {
  const { subscription } = (await c.caller.call(name, { subscription_id: id })).success()
  return expectMembers(subscription, 'subscription').status
}
