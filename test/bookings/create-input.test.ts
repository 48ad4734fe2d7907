import { expect, test } from 'vitest'
import { buyer, onBothDesks, testShop } from '../support/desk.ts'
import { address, shopDefinition } from './shop.ts'

const without = (object: Record<string, unknown>, name: string) => ({ ...object, [name]: undefined })
const CREATE = 'usp_bookings_create'

await onBothDesks(
  () => testShop(shopDefinition),
  (desk, shop) => {
    const first = async (serviceId: string) => (await desk.slots(serviceId))[0]

    /** Refused for its form, with the place that is at fault, and without any effect. */
    async function expectRefused(input: object, status: 400 | 422, fields: string[]) {
      const said = await desk.call(CREATE, { ...input })
      const code = status === 400 ? 'invalid_request' : 'validation_error'
      const rpc = status === 400 ? -32600 : -32602
      expect([said.rpc ?? said.status, said.code]).toEqual([desk.binding === 'REST' ? status : rpc, code])
      expect(said.data.errors.map(({ field }: { field: string }) => field)).toEqual(fields)
      expect(await shop.runtime.db.selectFrom('bookings').select('id').execute()).toEqual([])
    }

    const whole = async (serviceId = 'svc_free') => {
      const { id: slot_id, service_id } = await first(serviceId)
      return { service_id, slot_id, buyer }
    }

    test.each(['service_id', 'slot_id', 'buyer'])('[BKG-008] a request without %s is refused', async (name) => {
      await expectRefused(without(await whole(), name), 400, [name])
    })

    test.each(['buyer', 'recipient'])('[BKG-009] [BKG-011] a %s is named whole', async (who) => {
      for (const name of ['first_name', 'last_name', 'email'])
        await expectRefused({ ...(await whole()), [who]: without(buyer, name) }, 400, [`${who}.${name}`])
    })

    test.each(['buyer', 'recipient'])('[BKG-010] [LIV-011] the e-mail address of the %s must be one', async (who) => {
      for (const email of ['alice', 'alice@', '@example.com', 'alice example.com', '', 17])
        await expectRefused({ ...(await whole()), [who]: { ...buyer, email } }, 422, [`${who}.email`])
    })

    test.each([0, -1, 1.5, '2', null])('[BKG-016] [LIV-011] a party of %j is refused', async (party_size) => {
      await expectRefused({ ...(await whole()), party_size }, 422, ['party_size'])
    })

    test.each(['line1', 'city', 'country'])('[BKG-028] an address without %s is refused', async (name) => {
      const delivery_address = without(address, name)
      await expectRefused({ ...(await whole('svc_visit')), delivery_address }, 400, [`delivery_address.${name}`])
    })

    test.each([
      [
        'a consent that is no boolean',
        { buyer: { ...buyer, consent: { marketing: 'yes' } } },
        'buyer.consent.marketing',
      ],
      [
        'one of a vendor’s',
        { buyer: { ...buyer, consent: { 'x-acme-research': 1 } } },
        'buyer.consent.x-acme-research',
      ],
      ['a recipient’s', { recipient: { ...buyer, consent: { analytics: null } } }, 'recipient.consent.analytics'],
    ])('[BKG-128] %s is refused', async (_, more, field) => {
      await expectRefused({ ...(await whole()), ...more }, 422, [field])
    })
  },
)
