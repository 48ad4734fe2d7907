import { expect, test } from 'vitest'
import { recountAvailability } from '../../src/domain/registry/indexing/update-next-free-days.ts'
import { type Caller, onBothBindings } from '../support/both-bindings.ts'
import { CENTRE, list, north, registry } from './directory.ts'
import { freeOn } from './hints.ts'
import { fed } from './services.ts'

const server = await registry()
const { db } = server.runtime

const channel = { type: 'at_business_location' } as const
const lesson = (id: string, date?: string, name = 'Piano lesson') =>
  fed(id, {
    name,
    channel,
    ...(date && freeOn(date)),
  })

await list(db, 'reg_near', { location: north(100) }, [
  lesson('untold'),
  lesson('late_near', '2026-12-09'),
  lesson('soon_near', '2026-11-25'),
])
await list(db, 'reg_far', { location: north(5000) }, [
  lesson('late_far', '2026-12-09'),
  lesson('soon_far', '2026-11-25'),
  lesson('mentioned', '2026-11-20', 'Singing'),
])

const found = async (call: Caller, input: Record<string, unknown>): Promise<string[]> => {
  const { payload } = await call('usp_registry_search_services', { verticals: ['appointment'], ...input })
  return payload.services.map(({ service_id }: { service_id: string }) => service_id)
}
const here = { location: { coordinates: CENTRE, radius_km: 10 }, query: 'piano' }
const asListed = ['untold', 'late_near', 'soon_near', 'late_far', 'soon_far']

onBothBindings(server, (call) => {
  test('[REG-070] what is free sooner comes first, then what is nearer', async () => {
    expect(await found(call, here)).toEqual(['soon_near', 'soon_far', 'late_near', 'late_far', 'untold'])
  })

  test.each([1, 2, 100])('[REG-070] so it is around a place without words, by pages of %d', async (limit) => {
    const ids: string[] = []
    for (let cursor: string | null = null, more = true; more; ) {
      const pagination = { limit, cursor }
      const { payload } = await call('usp_registry_search_services', { location: here.location, pagination })
      ids.push(...payload.services.map(({ service_id }: { service_id: string }) => service_id))
      cursor = payload.pagination.cursor
      more = payload.pagination.has_more
    }
    expect(ids).toEqual(['mentioned', 'soon_near', 'soon_far', 'late_near', 'late_far', 'untold'])
  })

  test('[REG-070] without a place equals stand in the order they were listed', async () => {
    expect(await found(call, { query: 'piano' })).toEqual(['soon_near', 'soon_far', 'late_near', 'late_far', 'untold'])
  })

  test('[REG-070] soonness can be ignored', async () => {
    const input = { ...here, prefer_sooner_availability_slots: false }
    expect(await found(call, input)).toEqual(asListed)
    expect(await found(call, { ...input, prefer_sooner_availability_slots: true })).toEqual(await found(call, here))
  })

  test('[REG-069] wishes change the order, not what is found', async () => {
    const wish = (...desired_service_time_ranges: object[]) =>
      found(call, { ...here, desired_service_time_ranges, prefer_sooner_availability_slots: false })
    const bySoon = ['soon_near', 'soon_far', 'untold', 'late_near', 'late_far']
    expect(await wish({ at: '2026-11-25T11:30:00-05:00' })).toEqual(bySoon)
    expect(await wish({ start: '2026-11-24T10:00:00Z', end: '2026-12-08T10:00:00Z' })).toEqual(bySoon)
    expect(await wish({ at: '2026-11-25T17:00:00Z' }, { at: '2026-12-09T12:00:00-05:00' })).toEqual([
      'late_near',
      'soon_near',
      'late_far',
      'soon_far',
      'untold',
    ])
    expect(await wish({ start: '2026-11-24T10:00:00Z' })).toEqual([
      'late_near',
      'soon_near',
      'late_far',
      'soon_far',
      'untold',
    ])
    expect(await wish({ at: '0000-01-01T00:00:00Z' })).toEqual(asListed)
    expect(await wish()).toEqual(asListed)
  })

  test('what answers better comes first, however late it is free', async () => {
    expect(await found(call, { query: 'singing piano' })).toEqual([
      'mentioned',
      ...['soon_near', 'soon_far', 'late_near', 'late_far', 'untold'],
    ])
    expect(await found(call, { query: 'piano lesson singing' })).not.toContain('mentioned')
  })
})

test('[REG-070] a day that has passed where the business is is not soon', async () => {
  const search = async () => {
    const { body } = await server.rest('POST', '/registry/search_services', here)
    return body.services.map(({ service_id }: { service_id: string }) => service_id)
  }
  await recountAvailability(db, new Date('2026-11-25T16:59:59Z'))
  expect(await search()).toEqual(['soon_near', 'soon_far', 'late_near', 'late_far', 'untold'])
  await recountAvailability(db, new Date('2026-11-26T05:00:00Z'))
  expect(await search()).toEqual(['late_near', 'late_far', 'untold', 'soon_near', 'soon_far'])
})
