import { omitUndefined } from '../../../infra/util/records.ts'
import type { Location, RegistryLocation, Service } from '../../../protocol/types.generated.ts'
import { mapPoint } from './map-point.ts'

const MOST = 50
const LONGEST_ADDRESS = 500

/**
 * Places of a service: its own, or else the listed location of its business. Services by video or phone have no place.
 */
export function serviceLocations(
  { channel, locations = [] }: Pick<Service, 'channel' | 'locations'>,
  listed: RegistryLocation | null,
): RegistryLocation[] {
  if (channel.type === 'virtual' || channel.type === 'phone') return []
  const own = locations.flatMap(onTheMap).slice(0, MOST)
  return own.length > 0 || !listed ? own : [listed]
}

/** Ignores locations without valid coordinates. */
function onTheMap({ address, coordinates: { lat, lng } = {} }: Location): RegistryLocation[] {
  if (lat === undefined || lng === undefined || Math.abs(lat) > 90 || Math.abs(lng) > 180) return []
  return [
    omitUndefined({ address: address?.slice(0, LONGEST_ADDRESS).toWellFormed(), coordinates: mapPoint({ lat, lng }) }),
  ]
}
