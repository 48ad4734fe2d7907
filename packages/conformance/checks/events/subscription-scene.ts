import type { Members } from '../../caller/answer.ts'
import type { Caller } from '../../caller/caller.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectMembers } from '../../run/expectations.ts'

export const needs = ['services.catalog.subscriptions']

export interface Subscription extends Members {
  id: string
  status: string
}

/** Subscribes to the catalogue with an own address, and unsubscribes after the check. */
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

type Change = 'getSubscription' | 'pauseSubscription' | 'resumeSubscription' | 'unsubscribe'

/** Changes or reads a subscription, and returns its status. */
export async function statusAfter(c: CheckContext, name: Change, { id }: Subscription): Promise<unknown> {
  const { subscription } = (await c.caller.call(name, { subscription_id: id })).success()
  return expectMembers(subscription, 'subscription').status
}
