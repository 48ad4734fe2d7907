import type { SnapshotBody } from '../../core/events/event-body.ts'
import type { PlatformProfiles } from '../../core/profiles/platform-profiles.ts'
import type { Database } from '../../infra/db/database.ts'
import { capabilitiesConcerning, entriesOf, negotiate, offeredCapabilities } from '../../protocol/capabilities.ts'
import { deploymentOf } from '../../protocol/deployment-modes.ts'
import { bookingFind } from '../bookings/queries.ts'
import { paymentsOf } from '../payments/queries.ts'
import type { CheckoutRow } from './checkout-row.ts'
import { getOrder } from './get-order.ts'
import { ucpOperations } from './operations.ts'
import { type OrderWireContext, toOrder } from './order-response.ts'
import { checkoutByOrder } from './queries.ts'

type Making = OrderWireContext & { profiles: Pick<PlatformProfiles, 'get'> }

/**
 * Returns the function that builds an event about an order. The event shows the order in its state at the time of
 * sending.
 */
export const orderBody =
  (db: Database, making: Making): SnapshotBody =>
  async (_, { id }) => {
    const row = await checkoutByOrder(db, id)
    const booking = row && (await bookingFind(db, row.booking_id, undefined, { lock: false }))
    if (!row || !booking) return undefined
    const order = await toOrder(row, booking, await paymentsOf(db, booking.id), making)
    return { ...order, ucp: { ...order.ucp, capabilities: await orderCapabilities(row, making) } }
  }

/** Returns the capabilities (protocol features) for orders that the platform and the business both support now. */
async function orderCapabilities({ profile }: CheckoutRow, { profiles, business }: Making) {
  const definition = await business.get()
  const { platformMembers: members } = deploymentOf(definition)
  const { usp } = await profiles.get(profile, { members, protocol: 'ucp', isForEvent: true })
  const offered = offeredCapabilities(ucpOperations, definition)
  return entriesOf(capabilitiesConcerning(getOrder.capability, negotiate(offered, usp.capabilities), offered))
}
