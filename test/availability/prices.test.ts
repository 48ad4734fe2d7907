import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { onBothDesks, testShop } from '../support/desk.ts'
import { annAndBen, daily, on } from './week.ts'

const free = service('svc_free')
const { payment_timing: _, ...freely } = { ...free.policies, requires_payment: false }

const definition = businessWith(
  [
    service('svc_color', {
      pricing: { model: 'variable', amount: 10001, currency: 'USD', price_range: { min: 9000, max: 15000 } },
      resources: [{ type: 'staff', selectable: true, options: ['staff_ann', 'staff_ben'] }],
      price_rules: [
        { name: 'Ann on Saturday', days: ['saturday'], resources: ['staff_ann'], amount: 15000 },
        {
          name: 'Saturday',
          days: ['saturday'],
          percent: 112.5,
          label: 'Weekend rate',
          localized: { label: { es: 'Tarifa de fin de semana' } },
        },
        { name: 'Early', from: '09:00', to: '10:00', percent: 90 },
      ],
    }),
    service('svc_from', { pricing: { model: 'variable', currency: 'USD', price_range: { min: 9000, max: 15000 } } }),
    service('svc_peak', { price_rules: [{ from: '10:00', amount: 8500 }] }),
    service('svc_cut'),
    { ...free, pricing: { model: 'free', currency: 'USD' }, policies: freely },
  ],
  {
    hours: daily('09:00', '11:00'),
    resources: annAndBen,
  },
)

await onBothDesks(
  () => testShop(definition),
  (desk) => {
    test.each([
      ['2026-11-24', '09:00', 'staff_ann', 9001],
      ['2026-11-24', '09:30', 'staff_ben', 9001],
      ['2026-11-24', '10:00', 'staff_ann', 10001],
      ['2026-11-28', '09:00', 'staff_ann', 15000],
      ['2026-11-28', '09:00', 'staff_ben', 11251],
      ['2026-11-28', '10:00', 'staff_ben', 11251],
    ])('[AVL-041] on %s at %s %s costs %i', async (day, time, resource_id, amount) => {
      const slots = await desk.slots('svc_color', { ...on(day), resource_id })
      const slot = slots.find(({ start }) => start.includes(`T${time}`))
      expect(slot.pricing).toMatchObject({ amount, currency: 'USD' })
    })

    test.each([
      [undefined, 'Weekend rate'],
      ['fr', 'Weekend rate'],
      ['es-MX', 'Tarifa de fin de semana'],
    ])('[AVL-042] [AVL-039] asked in %s a special price is noted as %s', async (locale, label) => {
      const asked = { ...on('2026-11-28'), resource_id: 'staff_ben', ...(locale && { locale }) }
      const slots = await desk.slots('svc_color', asked)
      for (const { pricing } of slots) expect(pricing).toEqual({ amount: 11251, currency: 'USD', label })
    })

    test('[AVL-042] what the staff call a price rule stays with them', async () => {
      const slots = await desk.slots('svc_color', { ...on('2026-11-28'), resource_id: 'staff_ann' })
      for (const { pricing } of slots) expect(pricing).toEqual({ amount: 15000, currency: 'USD' })
    })

    test('[AVL-041] every slot of a variable price names one, asked in whatever zone', async () => {
      const slots = await desk.slots('svc_from', { timezone: 'Asia/Tokyo' })
      for (const { pricing } of slots) expect(pricing).toEqual({ amount: 9000, currency: 'USD' })
      const early = await desk.slots('svc_color', { ...on('2026-11-24'), timezone: 'Asia/Tokyo' })
      expect(new Set(early.map(({ pricing }) => pricing.amount))).toEqual(new Set([9001, 10001]))
    })

    test('[AVL-041] a slot with a price rule names its price, one of a usual price leaves it to the service', async () => {
      const peak = await desk.slots('svc_peak', on('2026-11-24'))
      expect(peak.map(({ pricing }) => pricing.amount)).toEqual([7500, 7500, 8500])
      for (const id of ['svc_cut', 'svc_free'])
        for (const slot of await desk.slots(id, on('2026-11-24'))) expect(slot).not.toHaveProperty('pricing')
    })
  },
)
