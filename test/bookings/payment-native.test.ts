import { expect, test } from 'vitest'
import { onBothDesks, testShop } from '../support/desk.ts'
import { tillDefinition } from './till.ts'

await onBothDesks(
  () =>
    testShop({
      ...tillDefinition,
      deployment_mode: 'ucp_native',
      services: tillDefinition.services.filter(({ id }) => ['svc_free', 'svc_spot', 'svc_signed_spot'].includes(id)),
    }),
  (desk) => {
    test.each(['svc_free', 'svc_spot', 'svc_signed_spot'])(
      '[PAY-084] [LIV-103] among the businesses of UCP a booking of %s says nothing of money',
      async (id) => {
        const slots = await desk.slots(id)
        const { booking } = (await desk.book(slots[0])).data
        expect(booking.status).toBe(id === 'svc_signed_spot' ? 'requires_action' : 'confirmed')
        for (const one of [booking, (await desk.get(booking.id)).data.booking]) {
          expect(one).not.toHaveProperty('payment')
          for (const { type, ...action } of one.actions ?? []) {
            expect(type).toBe('waiver')
            expect(action).not.toHaveProperty('payment_context')
          }
        }
        if (id === 'svc_signed_spot') return
        expect((await desk.reschedule(booking.id, slots[4])).data.booking).not.toHaveProperty('payment')
        expect((await desk.cancel(booking.id)).data.booking).not.toHaveProperty('payment')
      },
    )
  },
)
