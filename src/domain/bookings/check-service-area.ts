import { invalidInput } from '../../protocol/errors.ts'
import type { DeliveryAddress, ServiceDefinition } from '../../protocol/types.generated.ts'

type Limits = NonNullable<ServiceDefinition['service_limits']>

export function checkServiceArea(
  { service_limits: limits, channel }: ServiceDefinition,
  address: DeliveryAddress,
): void {
  if (!limits || isInCircle(limits, address) || hasPostalCode(limits, address)) return
  const { circle, postal_codes: postal } = limits
  const isSameCountry = postal?.country === address.country
  if (isSameCountry && address.postal_code === undefined) throw missingMember('postal_code')
  if (circle && !pointOf(address)) throw missingMember('coordinates')
  const where = channel.service_area ? `It travels to: ${channel.service_area}.` : 'It is too far away.'
  throw invalidInput(`The business does not travel to this address. ${where}`, '$.delivery_address')
}

const missingMember = (member: string) =>
  invalidInput(
    `The server needs ${member} to check the service area: add it to delivery_address.`,
    `$.delivery_address.${member}`,
  )

function hasPostalCode({ postal_codes: limit }: Limits, { country, postal_code }: DeliveryAddress): boolean {
  if (!limit || postal_code === undefined || country !== limit.country) return false
  const code = plain(postal_code)
  return limit.codes.some((one) => (one.endsWith('*') ? code.startsWith(plain(one.slice(0, -1))) : code === plain(one)))
}

const plain = (code: string) => code.replace(/[\s-]/g, '').toUpperCase()

function isInCircle({ circle }: Limits, address: DeliveryAddress): boolean {
  const point = pointOf(address)
  return circle !== undefined && point !== undefined && kilometresBetween(circle, point) <= circle.radius_km
}

interface Point {
  lat: number
  lng: number
}

function pointOf({ coordinates: { lat, lng } = {} }: DeliveryAddress): Point | undefined {
  return lat === undefined || lng === undefined ? undefined : { lat, lng }
}

const EARTH_RADIUS = 6_371

const radians = (degrees: number) => (degrees * Math.PI) / 180

function kilometresBetween(one: Point, other: Point): number {
  const across = Math.sin(radians(other.lat - one.lat) / 2) ** 2
  const along = Math.sin(radians(other.lng - one.lng) / 2) ** 2
  const half = across + Math.cos(radians(one.lat)) * Math.cos(radians(other.lat)) * along
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(half)))
}
