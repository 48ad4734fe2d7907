import { afterEach, expect, test } from 'vitest'
import type { ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { expectValidEvent, toldShop } from '../events/told-shop.ts'
import { mcpDesk, restDesk } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { tillDefinition } from './till.ts'

const HOUR = 3_600_000
const asked = tillDefinition.services.find(({ id }) => id === 'svc_asked') as ServiceDefinition
const definition = {
  ...tillDefinition,
  services: [...tillDefinition.services, { ...asked, id: 'svc_quick', payment_window: 'PT2H' }],
}

for (const deskOf of [restDesk, mcpDesk]) {
  const shop = await toldShop(definition)
  const desk = deskOf(shop)
  const approved = async (serviceId: string, nth = -1) => {
    const { booking } = (await desk.book((await desk.slots(serviceId)).at(nth))).data
    return (await desk.confirm(booking.id)).data.booking
  }
  afterEach(() => {
    shop.time.now = START
  })

  test(`[approval that starts a payment is told] with what is to be done (${desk.binding})`, async () => {
    const booking = await approved('svc_asked')
    const [event, ...more] = await shop.told()
    expect(more).toEqual([])
    expect(event).toMatchObject({ event: 'booking.confirmed', booking_id: booking.id, data: booking })
    expect(event?.data).toMatchObject({
      status: 'requires_action',
      actions: [{ type: 'payment', status: 'pending', payment_context: { amount_due: 13200 } }],
    })
    if (event) expectValidEvent(event)
    await desk.pay(booking)
    expect((await shop.told()).map(({ event, data }) => [event, data.status])).toEqual([
      ['booking.confirmed', 'confirmed'],
    ])
  })

  test(`[approval that starts a payment is told] and leaves a day for it (${desk.binding})`, async () => {
    const booking = await approved('svc_asked', -2)
    expect(Date.parse(booking.expires_at)).toBe(shop.time.now.getTime() + 24 * HOUR)
    expect(booking.actions[0].expires_at).toBe(booking.expires_at)
    shop.time.now = new Date(Date.parse(booking.expires_at) - 1000)
    expect((await desk.pay(booking)).data.booking.status).toBe('confirmed')
  })

  test(`[approval that starts a payment is told] but not past the start (${desk.binding})`, async () => {
    const [slot] = await desk.slots('svc_asked', { start_date: '2026-11-21', end_date: '2026-11-21' })
    const { booking } = (await desk.book(slot)).data
    shop.time.now = new Date(Date.parse(slot.start) - 5 * HOUR)
    const { expires_at, status } = (await desk.confirm(booking.id)).data.booking
    expect([status, Date.parse(expires_at)]).toEqual(['requires_action', Date.parse(slot.start)])
  })

  test(`[approval that starts a payment is told] and what the business has set goes (${desk.binding})`, async () => {
    const quick = await approved('svc_quick')
    expect(Date.parse(quick.expires_at)).toBe(shop.time.now.getTime() + 2 * HOUR)
    await shop.apply({ ...definition, payments: { ...definition.payments, window_after_approval: 'PT6H' } })
    await shop.runtime.business.seenBy(shop.runtime.db)
    const slow = await approved('svc_asked', -3)
    expect(Date.parse(slow.expires_at)).toBe(shop.time.now.getTime() + 6 * HOUR)
    const { booking } = (await desk.book((await desk.slots('svc_paid')).at(-1))).data
    expect(Date.parse(booking.expires_at)).toBe(shop.time.now.getTime() + 24 * HOUR)
  })
}
