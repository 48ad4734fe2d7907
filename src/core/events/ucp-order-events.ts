import { hash } from 'node:crypto'
import { asRecord } from '../../infra/util/object-members.ts'
import type { PlatformProfile } from '../../protocol/types.generated.ts'
import type { Due } from './lease-deliveries.ts'

/**
 * The subject kind of events about orders of the Universal Commerce Protocol (UCP). The body of such an event is the
 * current order.
 */
export const ORDER = 'order'

export const isOrderEvent = ({ subject }: Pick<Due, 'subject'>): boolean => subject.startsWith(`${ORDER} `)

/**
 * The name of the capability (a named part of the protocol) for orders in the Universal Commerce Protocol (UCP). In
 * this capability, a platform states the URL for events about its orders.
 */
const CAPABILITY = 'dev.ucp.shopping.order'

export function orderWebhookOf({ usp }: PlatformProfile): string | undefined {
  const urls = (usp.capabilities[CAPABILITY] ?? []).map(({ config }) => asRecord(config).webhook_url)
  return urls.find((url) => typeof url === 'string')
}

/**
 * The headers of an event about an order. They follow the specification Standard Webhooks, and one additional header
 * names this server as the sender.
 */
export const orderEventHeaders = ({ event_id, at }: Pick<Due, 'event_id' | 'at'>, profile: string) => ({
  'ucp-agent': `profile="${profile}"`,
  'webhook-id': uuidOf(event_id),
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
})

/** Derives a UUID from the id of an event, so that all attempts to send the event have the same UUID. */
function uuidOf(id: string): string {
  const digits = hash('sha256', id)
  const [version, variant] = ['8', '8']
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    version + digits.slice(13, 16),
    variant + digits.slice(17, 20),
    digits.slice(20, 32),
  ].join('-')
}
