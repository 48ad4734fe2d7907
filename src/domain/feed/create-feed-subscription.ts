import { notSetUp, zoneOf } from '../../core/business/definition-facts.ts'
import { checkedTarget, EgressError } from '../../core/egress/call-external-url.ts'
import { limitOutboundCalls } from '../../core/limits/limit-fetches-for-callers.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import { type Context, defineOperation } from '../../protocol/define-operation.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { CreateFeedSubscription } from '../../protocol/types.generated.ts'
import { callbackSiteLock, countInQuota, subscriptionInsert, subscriptionUpdate } from './queries.ts'
import { quotaExceeded, quotaOf } from './subscription-quota.ts'
import { subscription, toSubscription } from './subscription-response.ts'

const EVENTS = ['service.created', 'service.updated', 'service.deleted', 'service.suspended'] as const

export const createFeedSubscription = defineOperation<CreateFeedSubscription & { needs: Dependencies<'limits'> }>({
  id: 'createFeedSubscription',
  rest: 'POST /services/feed/subscriptions',
  tool: 'usp_services_feed_subscribe',
  title: 'Subscribe to catalogue changes',
  description:
    'Registers an https address for catalogue changes, of all services or only of some. Only its creator can see or change it. The same address again changes its filters and resumes it.',
  capability: 'dev.usp-protocol.services.catalog',
  declares: 'dev.usp-protocol.services.catalog.subscriptions',
  access: 'privileged_platform',
  effect: 'create',
  input: {
    type: 'object',
    required: ['callback_url'],
    properties: {
      callback_url: {
        type: 'string',
        format: 'uri',
        maxLength: 2000,
        description: 'The https address that receives the changes.',
      },
      categories: {
        type: 'array',
        maxItems: 100,
        items: { type: 'string', maxLength: 200 },
        description: 'Only services in one of these categories; all when left out.',
      },
      events: {
        type: 'array',
        maxItems: 100,
        items: { enum: EVENTS },
        description: 'Only these kinds of change; all when left out.',
      },
    },
  },
  output: subscription,
  summary: ({ subscription: { id, callback_url } }) => `Subscription ${id} sends catalogue changes to ${callback_url}.`,
  prepare: (context) => checkCallback(context.input.callback_url, context),
  async handle(context) {
    const { input, caller, db, now, business, limits } = context
    const zone = await zoneOf(context)
    const { callback_url } = input
    await callbackSiteLock(db, callback_url)
    const renewed = await subscriptionUpdate(db, input, caller)
    if (renewed) return { subscription: toSubscription(renewed, zone) }
    const quota = quotaOf(callback_url, caller, (await business.get())?.limits?.callbacks ?? limits.callbacks)
    if ((await countInQuota(db, quota.name)) >= quota.most) throw quotaExceeded(quota)
    const created = await subscriptionInsert(db, { ...input, id: newId('sub'), crowd: quota.name, caller, now })
    if (!created) throw notSetUp()
    return { subscription: toSubscription(created, zone) }
  },
})

/**
 * Refuses a callback URL that does not use https or that leads to a private network. Each later delivery of an event
 * checks the URL again, because the IP addresses of its host can change.
 */
async function checkCallback(url: string, { config, peer }: Pick<Context, 'config' | 'peer'>): Promise<void> {
  try {
    await limitOutboundCalls(peer.address, () => checkedTarget(url, config))
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    const message = `callback_url ${error.message}.`
    throw new ProtocolError('validation_error', message, {
      errors: [{ field: 'callback_url', message: error.message }],
    })
  }
}
