import { expect, test } from 'vitest'
import { onBothBindings } from '../support/both-bindings.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

const server = await testServer(
  businessWith(
    [
      service('svc_cut', {
        name: 'Haircut',
        description: { plain: 'A cut.', markdown: '**A cut.**' },
        categories: [
          { taxonomy: 'google_business_profile', value: 'hair' },
          { taxonomy: 'merchant', id: 'hair', name: 'Hair' },
        ],
        channel: { type: 'at_business_location', instructions: 'Ring twice.' },
        locations: ['loc_far'],
        resources: [{ type: 'staff', selectable: true, options: ['staff_jane', 'staff_alex'] }],
        localized: {
          name: { es: 'Corte', fr: 'Coupe' },
          description: { es: 'Un corte.' },
          category_name: { es: 'Cabello' },
          channel_instructions: { es: 'Llame dos veces.' },
        },
      }),
      service('svc_near', { locations: ['loc_near'] }),
      service('svc_call', { channel: { type: 'phone' } }),
    ],
    {
      resources: [
        {
          id: 'staff_jane',
          type: 'staff',
          name: 'Jane',
          description: 'Stylist',
          localized: { description: { es: 'Estilista' } },
        },
        { id: 'staff_alex', type: 'staff', name: 'Alex' },
      ],
      locations: [
        { id: 'loc_near', name: 'Near', coordinates: { lat: 40.7, lng: -74 } },
        { id: 'loc_far', name: 'Far', coordinates: { lat: 34, lng: -118.2 } },
      ],
    },
  ),
)

onBothBindings(server, (call) => {
  const cut = async (language: string) => {
    const listed = (await call('usp_services_list', { context: { language } })).payload.services
    const looked = (await call('usp_services_lookup', { ids: ['svc_cut'], context: { language } })).payload.services
    const [one] = looked
    expect(listed.find(({ id }: { id: string }) => id === 'svc_cut')).toEqual(one)
    return one
  }

  test.each(['es', 'es-MX', 'ES'])(
    '[CAT-042] [CAT-043] in %s the Spanish texts replace the usual ones, which stay readable',
    async (language) => {
      const service = await cut(language)
      expect(service).toMatchObject({
        name: 'Corte',
        description: { plain: 'Un corte.' },
        channel: { type: 'at_business_location', instructions: 'Llame dos veces.' },
        localized: {
          name: { en: 'Haircut', es: 'Corte', fr: 'Coupe' },
          description: { en: 'A cut.' },
          category_name: { en: 'Hair' },
          channel_instructions: { en: 'Ring twice.' },
        },
      })
    },
  )

  test('[CAT-042] whom a buyer may choose is told in the wished language too', async () => {
    expect((await cut('es')).resources[0].options).toEqual([
      { id: 'staff_jane', name: 'Jane', description: 'Estilista' },
      { id: 'staff_alex', name: 'Alex' },
    ])
    expect((await cut('fr')).resources[0].options[0].description).toBe('Stylist')
  })

  test('[CAT-042] a language that is not there, or is no language, gets the usual texts', async () => {
    for (const language of ['de', 'xx-yy', '', '!!', 'en']) expect((await cut(language)).name).toBe('Haircut')
  })

  test('[CAT-091] the translated category name goes to the primary entry and to no other', async () => {
    expect((await cut('es')).categories).toEqual([
      { taxonomy: 'google_business_profile', value: 'hair' },
      { taxonomy: 'merchant', id: 'hair', name: 'Cabello' },
    ])
  })

  const near = (latitude: number, longitude: number, more = {}) =>
    call('usp_services_list', { context: { coordinates: { latitude, longitude } }, ...more }).then(({ payload }) =>
      payload.services.map(({ id }: { id: string }) => id),
    )

  test('[CAT-044] the nearer location comes first; what has no place comes last', async () => {
    expect(await near(40.6, -73.9)).toEqual(['svc_near', 'svc_cut', 'svc_call'])
    expect(await near(33, -117)).toEqual(['svc_cut', 'svc_near', 'svc_call'])
  })

  test('[CAT-045] beside a location filter the coordinates change nothing', async () => {
    expect(await near(40.6, -73.9, { filters: { location_id: 'loc_far' } })).toEqual(['svc_cut'])
  })
})
