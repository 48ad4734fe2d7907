import { expect, test } from 'vitest'
import { service } from '../support/definitions.ts'
import { expectAccepted, expectServiceFault, type FaultCase, offering, placesRefused, withMember } from './reading.ts'

const categorised = service('svc_a', {
  categories: [
    { taxonomy: 'merchant', name: 'Hair', primary: true },
    { taxonomy: 'google_business_profile', name: 'Hair salon', value: 'hair_salon' },
  ],
})

const faults: FaultCase[] = [
  ['[DEF-015] a category without taxonomy is refused', 'categories[1].taxonomy', undefined],
  ['[DEF-017] an entry of an outside taxonomy with a name but no value is refused', 'categories[1].value', undefined],
  ['[DEF-018] two primary categories are refused', 'categories[1].primary', true, 'categories'],
]
test.each(faults)('%s', (_, path, wrong, named) => expectServiceFault(categorised, path, wrong, named))

test.each(['merchant', 'google_business_profile'])(
  '[DEF-016] a %s category with none of id, name and value is refused',
  (taxonomy) => {
    expectAccepted(offering(categorised))
    const refused = placesRefused(withMember(offering(categorised), 'services[svc_a].categories[0]', { taxonomy }))
    for (const member of ['id', 'name', 'value']) expect(refused).toContain(`services[svc_a].categories[0].${member}`)
  },
)

test('[DEF-017] an entry of an outside taxonomy with an id but no value is refused', () =>
  expectServiceFault(
    service('svc_a', { categories: [{ taxonomy: 'google_product_category', id: 'gpc_1', value: '499' }] }),
    'categories[gpc_1].value',
    undefined,
  ))

test.each([{ id: 'cat_hair' }, { name: 'Hair' }, { value: 'beauty > hair' }])(
  '[DEF-016] [DEF-017] a merchant category with nothing but %j is accepted',
  (more) => expectAccepted(offering(service('svc_a', { categories: [{ taxonomy: 'merchant', ...more }] }))),
)

test('[DEF-018] one primary category among several, or none, is accepted', () => {
  expectAccepted(offering(categorised))
  expectAccepted(
    offering(
      service('svc_a', {
        categories: [
          { taxonomy: 'merchant', name: 'Hair', primary: false },
          { taxonomy: 'merchant', name: 'Colour' },
        ],
      }),
    ),
  )
})

test('[DEF-019] a taxonomy that nobody knows is accepted with a value', () =>
  expectAccepted(offering(service('svc_a', { categories: [{ taxonomy: 'town_hall_register', value: 'trade:4711' }] }))))
