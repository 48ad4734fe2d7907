import { expectEqual, expectInstant, expectMembers, expectTrue } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { join, offeredEntry } from '../transactions/waitlist-steps.ts'
import { receiveChangedPosition } from './event-causes.ts'
import { deliveries, eventWith } from './received-events.ts'

const needs = ['services.waitlist']
const forOffers = [...needs, 'services.availability', 'services.bookings']

export const waitlistEventChecks = [
  check(
    'EVT-028 EVT-029',
    'A waitlist offer causes an event to the platform that joined',
    async (c) => {
      const other = c.newPlatform()
      await join(c, { caller: other.caller })
      const { entry, slot, service } = await offeredEntry(c)
      const { event } = await eventWith(c.platform.hosted, { event: 'waitlist.spot_offered', entry_id: entry.id })
      c.schemas.expectValid('webhook_event#WaitlistEvent', event, 'the event')
      expectEqual(event.service_id, service.id, 'service_id')
      expectInstant(event.timestamp, 'timestamp')
      const { status, offered_slot, offer_expires_at } = expectMembers(event.data, 'data')
      expectEqual(status, 'offered', 'data.status')
      expectEqual(expectMembers(offered_slot, 'data.offered_slot').slot_id, slot.id, 'data.offered_slot.slot_id')
      expectInstant(offer_expires_at, 'data.offer_expires_at')
      expectEqual(
        deliveries(other.hosted, { entry_id: entry.id }).length,
        0,
        'the number of events at another platform',
      )
    },
    { needs: forOffers, newPlatform: true },
  ),
  check(
    'EVT-030',
    'An accepted offer causes the event waitlist.converted',
    async (c) => {
      const { entry } = await offeredEntry(c)
      const { booking } = (await c.caller.call('acceptOffer', { entry_id: entry.id })).success()
      c.cancelAfterwards(expectMembers(booking, 'booking'))
      const { event } = await eventWith(c.platform.hosted, { event: 'waitlist.converted', entry_id: entry.id })
      c.schemas.expectValid('webhook_event#WaitlistEvent', event, 'the event')
    },
    { needs: forOffers, newPlatform: true },
  ),
  check(
    'EVT-028 EVT-032 EVT-006',
    'A new position on the waitlist causes an event with this position',
    async (c) => {
      const { entry, received } = await receiveChangedPosition(c)
      const { position } = expectMembers(received.event.data, 'data')
      expectTrue(Number(position) < entry.position, `data.position below ${entry.position}`, position)
      for (const { event } of deliveries(c.platform.hosted))
        c.schemas.expectValid('webhook_event#WaitlistEvent', event, 'each event of the platform')
    },
    { needs, newPlatform: true },
  ),
]
