import { expect, test } from 'vitest'
import { readDefinition } from '../../src/domain/definition/read-definition.ts'
import { service } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'
import { offering } from './reading.ts'

const { payment_timing: _, ...unpaid } = service('svc_a').policies
const capacity = { max: 8 }
const definition = offering(
  service('svc_appointment', { resources: [{ type: 'staff', selectable: true, options: ['res_ana'] }] }),
  service('svc_group', { type: 'group', capacity, duration: { undetermined: true } }),
  service('svc_reservation', { type: 'reservation', capacity, resources: [{ type: 'room', options: ['res_room'] }] }),
  service('svc_rental', { type: 'rental', duration: { range: { min: 'PT1H', max: 'P1D', step: 'PT1H' } } }),
  service('svc_field_service', { type: 'field_service', channel: { type: 'at_buyer_location' } }),
  service('svc_course', { type: 'com.example.services.courses', description: { plain: 'A course' } }),
  service('svc_free', {
    pricing: { model: 'free', currency: 'USD' },
    policies: { ...unpaid, requires_payment: false },
  }),
  service('svc_variable', { pricing: { model: 'variable', currency: 'USD' }, resources: [{ type: 'staff' }] }),
)
const server = await testServer(readDefinition(JSON.stringify(definition), 'business.json').definition)
const served = async (id: string) => (await server.rest('GET', `/services/${id}`)).body.service

test.each([
  ['svc_appointment', 'appointment'],
  ['svc_group', 'group'],
  ['svc_reservation', 'reservation'],
  ['svc_rental', 'rental'],
  ['svc_field_service', 'field_service'],
  ['svc_course', 'com.example.services.courses'],
])('[DEF-003] [DEF-004] %s is served with the type %s it was defined with', async (id, type) =>
  expect((await served(id)).type).toBe(type),
)

test('[DEF-037] [DEF-043] a price without amount is served without one', async () => {
  for (const id of ['svc_free', 'svc_variable']) expect((await served(id)).pricing).not.toHaveProperty('amount')
})

test('[DEF-061] a requirement without selectable is served as one the business assigns, and names nobody', async () => {
  expect((await served('svc_variable')).resources).toEqual([{ type: 'staff', selectable: false }])
  expect((await served('svc_reservation')).resources).toEqual([{ type: 'room', selectable: false }])
  expect((await served('svc_appointment')).resources).toEqual([
    {
      type: 'staff',
      selectable: true,
      options: [{ id: 'res_ana', name: 'Ana', image_url: 'https://studio.example/ana.jpg' }],
    },
  ])
})

test('[DEF-067] the provider of a service is the business, by name', async () =>
  expect((await served('svc_appointment')).provider).toEqual({ name: 'Test Studio' }))
