import { asMembers, type Members } from '../../caller/answer.ts'
import { expectEqual, expectList, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { expectInvalid, expectMissing } from './input-faults.ts'
import { readAll, readPage } from './pages.ts'
import { firstOf, idsOf, locationsOf } from './service-facts.ts'

const sortedIds = (services: Members[]) => idsOf(services).toSorted()

const everyMember = {
  address_country: 'US',
  address_region: 'NY',
  postal_code: '10012',
  coordinates: { latitude: 90, longitude: -180 },
  language: 'en',
  currency: 'USD',
  intent: 'A gift for a friend.',
}

interface Place {
  id: unknown
  latitude: number
  longitude: number
}

function placesOf(service: Members): Place[] {
  return locationsOf(service).flatMap(({ id, coordinates }) => {
    const { lat, lng } = asMembers(coordinates) ?? {}
    return typeof lat === 'number' && typeof lng === 'number' ? [{ id, latitude: lat, longitude: lng }] : []
  })
}

export const catalogueContextChecks = [
  check(
    'CAT-038 CAT-039',
    'The server accepts each known member of the context, and ignores unknown ones',
    async ({ anonymous, services }) => {
      const context = { ...everyMember, conformance_mood: { happy: true } }
      const listed = await readAll(anonymous, 'listServices', { context })
      expectEqual(sortedIds(listed), sortedIds(services), 'the listed services')
      const ids = idsOf(services.slice(0, 3))
      const looked = (await anonymous.call('lookupServices', { ids, context })).success()
      expectEqual(sortedIds(expectList(looked.services, 'services')), ids.toSorted(), 'the services of the lookup')
    },
  ),
  check('CAT-040', 'The server refuses coordinates without latitude or longitude', async ({ anonymous }) => {
    const ask = (coordinates: Members) => anonymous.call('listServices', { context: { coordinates } })
    expectMissing(await ask({ latitude: 40 }), 'longitude')
    expectMissing(await ask({ longitude: -74 }), 'latitude')
  }),
  check('CAT-041', 'The server refuses coordinates that are not on the globe', async ({ anonymous }) => {
    const ask = (latitude: number, longitude: number) =>
      anonymous.call('listServices', { context: { coordinates: { latitude, longitude } } })
    expectInvalid(await ask(90.1, 0), 'latitude')
    expectInvalid(await ask(0, -180.5), 'longitude')
    ;(await ask(90, -180)).success()
  }),
  check(
    'CAT-042 CAT-043',
    'The server returns texts in the language of the context, or in its default language',
    async ({ anonymous, services }) => {
      const translated = services.flatMap((service) => {
        const names = asMembers(asMembers(service.localized)?.name) ?? {}
        return Object.keys(names).map((language) => ({ service, language, text: names[language] }))
      })
      const { service, language, text } = firstOf(translated, 'service with a translated name')
      const look = async (tag: string) => {
        const context = { language: tag }
        const result = (await anonymous.call('lookupServices', { ids: [service.id], context })).success()
        return expectList(result.services, 'services')[0] ?? {}
      }
      for (const tag of language.includes('-') ? [language] : [language, `${language}-MX`]) {
        const { name, localized } = await look(tag)
        const isDelivered = name === text || asMembers(asMembers(localized)?.name)?.[language] === text
        expectTrue(isDelivered, `the name ${text} for the language ${tag}`, name)
      }
      expectEqual((await look('tlh')).name, service.name, 'the name for a language without a translation')
    },
  ),
  check('CAT-044', 'Services near the buyer rank before distant services', async ({ anonymous, services }) => {
    const places = services.flatMap(placesOf)
    for (const { id, latitude, longitude } of places) {
      const isNear = (service: Members) => placesOf(service).some((place) => place.id === id)
      const isFar = (service: Members) => placesOf(service).length > 0 && !isNear(service)
      // Without a place, the catalogue must list a service far from this place before a service at this place. Otherwise,
      // the check could not see that the place changes the order.
      const isReordered = services.findIndex(isFar) >= 0 && services.findIndex(isFar) < services.findLastIndex(isNear)
      if (!isReordered) continue
      const context = { coordinates: { latitude, longitude } }
      const { items } = await readPage(anonymous, 'listServices', { context }, { limit: 20 })
      const firstFar = items.findIndex(isFar)
      const lastNear = items.findLastIndex(isNear)
      expectTrue(firstFar < 0 || lastNear < firstFar, `the services at ${id} first`, idsOf(items))
      return
    }
    throw new Skip('The services of each location are first even without the context.')
  }),
  check(
    'CAT-045',
    'The coordinates of the buyer do not change the result of the filter by location',
    async ({ anonymous, services }) => {
      const place = firstOf(services.flatMap(placesOf), 'location with coordinates')
      const filters = { location_id: place.id }
      const context = { coordinates: { latitude: -place.latitude, longitude: place.longitude } }
      const near = await readAll(anonymous, 'listServices', { filters })
      const far = await readAll(anonymous, 'listServices', { filters, context })
      expectEqual(sortedIds(far), sortedIds(near), `the services at ${place.id} for a distant buyer`)
    },
  ),
]
