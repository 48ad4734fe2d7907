import { expect, test } from 'vitest'
import { checkRegistrations } from '../../src/domain/registry/listings/run-registration-checks.ts'
import { onBothDesks } from '../support/desk.ts'
import { index } from './directory.ts'
import { listing, listingShop, register } from './listing-shop.ts'
import { fed } from './services.ts'

const DAY = 24 * 60

await onBothDesks(listingShop, (desk, shop) => {
  const { db } = shop.runtime
  const found = async (query: string) => {
    const { data } = await desk.call('usp_registry_search_business', { query }, { as: {} })
    return data.businesses.map(({ id }: { id: string }) => id)
  }
  const offered = async (query: string) => {
    const { data } = await desk.call('usp_registry_search_services', { query }, { as: {} })
    return data.services.map(({ service_id }: { service_id: string }) => service_id)
  }

  test('[REG-028] a business is found by the name it has now', async () => {
    const { id, profile_url } = await register(desk, shop, { name: 'Zebra House' })
    expect(await found('zebra')).toEqual([id])
    await desk.call('usp_registry_update', { id, ...listing(profile_url, { name: 'Xylophone House' }) })
    expect([await found('zebra'), await found('xylophone')]).toEqual([[], [id]])
  })

  test('[REG-052] [REG-093] a business that is gone for days is found no more, nor its services, until it is back', async () => {
    const { id } = await register(desk, shop, { name: 'Dodo House' })
    await index(db, id, [fed('svc_dodo', { name: 'Dodo walk' })])
    const look = async () => {
      shop.minutesLater(2 * DAY)
      await checkRegistrations(shop.runtime, shop.time.now)
    }
    shop.site.answer = (_, response) => void response.writeHead(503).end()
    await look()
    expect([await found('dodo'), await offered('dodo')]).toEqual([[id], ['svc_dodo']])
    for (const _ of [1, 2, 3, 4, 5]) await look()
    expect((await desk.call('usp_registry_get', { id }, { as: {} })).data.registration.status).toBe('inactive')
    expect([await found('dodo'), await offered('dodo')]).toEqual([[], []])
    shop.site.answer = undefined
    await look()
    expect([await found('dodo'), await offered('dodo')]).toEqual([[id], ['svc_dodo']])
  })

  test('[REG-036] [REG-037] a business that was removed is found no more, nor is any of its services', async () => {
    const { id } = await register(desk, shop, { name: 'Quagga House' })
    await index(db, id, [fed('svc_quagga', { name: 'Quagga ride' })])
    expect([await found('quagga'), await offered('quagga')]).toEqual([[id], ['svc_quagga']])
    await desk.call('usp_registry_delete', { id })
    expect((await desk.call('usp_registry_get', { id }, { as: {} })).code).toBe('registration_not_found')
    expect([await found('quagga'), await offered('quagga')]).toEqual([[], []])
    const kept = db.selectFrom('indexed_services').select('service_id').where('registration_id', '=', id)
    expect(await kept.execute()).toEqual([])
  })
})
