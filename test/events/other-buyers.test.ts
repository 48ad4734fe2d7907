import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { onBothDesks } from '../support/desk.ts'
import { toldShop } from './told-shop.ts'

const definition = businessWith([service('svc_a')])
const stranger = {
  first_name: 'Quirina',
  last_name: 'Zweistein',
  email: 'quirina.zweistein@example.org',
  phone_number: '+12125550188',
}
const traces = /quirina|zweistein|2125550188/i

await onBothDesks(
  () => toldShop(definition),
  (desk, shop) => {
    test('[TLS-019] whatever is answered or told of one booking shows no buyer of another', async () => {
      const [first, , second, , third] = await desk.slots('svc_a')
      const theirs = (await desk.book(first, { buyer: stranger })).data.booking
      expect(JSON.stringify(theirs)).toMatch(traces)

      const { id } = (await desk.book(second)).data.booking
      const answers = [
        await desk.call('usp_availability_query', {
          service_id: 'svc_a',
          start_date: '2026-11-24',
          end_date: '2026-11-30',
        }),
        await desk.call('usp_services_list', {}),
        await desk.hold(first),
        await desk.book(first),
        await desk.get(id),
        await desk.update(id, { notes: 'By the window' }),
        await desk.reschedule(id, first),
        await desk.reschedule(id, third),
        await desk.cancel(id),
        await desk.get(theirs.id, { as: shop.other }),
        await desk.cancel(theirs.id, {}, { as: shop.other }),
      ]
      for (const { data } of answers) expect(JSON.stringify(data)).not.toMatch(traces)

      await desk.cancel(theirs.id)
      const told = await shop.told()
      const of = (booking: string) => told.filter(({ booking_id }) => booking_id === booking)
      expect(JSON.stringify(of(theirs.id))).toMatch(traces)
      expect(of(id).map(({ event }) => event)).toEqual(['booking.rescheduled', 'booking.canceled'])
      expect(JSON.stringify(of(id))).not.toMatch(traces)
    })
  },
)
