import { expect, test } from 'vitest'
import type { ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { expectProblem, onBothDesks } from '../support/desk.ts'
import { lineOf, openShop } from './queue.ts'

const VISIT = 'svc_visit'
const visit: ServiceDefinition = service(VISIT, {
  type: 'field_service',
  channel: { type: 'at_buyer_location', service_area: 'Manhattan' },
  capacity: { max: 1, waitlist: true },
  resources: [{ type: 'staff', options: ['sam'] }],
  service_limits: { postal_codes: { country: 'US', codes: ['100*'] } },
})
const definition = businessWith([visit], {
  hours: [{ days: ['tuesday', 'wednesday'], opens: '10:00', closes: '11:00' }],
  resources: [{ id: 'sam', type: 'staff', name: 'Sam' }],
})
const home = { line1: '5 Elm Street', city: 'New York', postal_code: '10001', country: 'US' }
const rule = '[a visit has an address, also one that was waited for]'

await onBothDesks(
  () => openShop(definition),
  (desk) => {
    const { join, entry, accept } = lineOf(desk)

    async function offered() {
      const [slot] = await desk.slots(VISIT)
      const { booking } = (await desk.book(slot, { delivery_address: home })).data
      const { data } = await join('Ann', { service_id: VISIT, slot_id: slot.id })
      await desk.cancel(booking.id)
      return { id: String(data.entry.id), joined: data }
    }

    test(`[BKG-027] [LIV-011] [LIV-031] [LIV-053] ${rule} whoever joins is told, and nothing is booked without or out of reach`, async () => {
      const { id, joined } = await offered()
      expect([joined.entry.status, joined.messages]).toEqual([
        'waiting',
        [{ type: 'info', code: 'delivery_address_needed', content: expect.stringContaining('delivery_address') }],
      ])
      const wrong: [object, string][] = [
        [{}, 'delivery_address'],
        [{ delivery_address: { ...home, country: 'America' } }, 'delivery_address.country'],
        [{ delivery_address: { ...home, postal_code: '90210' } }, 'delivery_address'],
        [{ delivery_address: { ...home, postal_code: undefined } }, 'delivery_address.postal_code'],
        [{ delivery_address: { ...home, line2: 'x'.repeat(4_000) } }, 'delivery_address'],
      ]
      for (const [input, field] of wrong) {
        const said = await accept(id, { ...input })
        expectProblem(said, 'validation_error', field)
        expect(JSON.stringify([said.data, said.headers])).not.toMatch(/Elm Street|90210|xxx/)
      }
      expect((await accept(id, { delivery_address: { line1: '5 Elm Street' } })).code).toBe('invalid_request')
      expect((await entry(id)).status).toBe('offered')
    })

    test(`[BKG-026] ${rule} and it is on the booking as it was sent`, async () => {
      const { id } = await offered()
      const { data } = await accept(id, { delivery_address: home })
      expect([data.entry.status, data.booking.delivery_address]).toEqual(['accepted', home])
      expect((await desk.get(data.booking.id)).data.booking.delivery_address).toEqual(home)
    })
  },
)
