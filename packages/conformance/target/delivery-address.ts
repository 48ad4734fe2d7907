import type { Members } from '../caller/answer.ts'

/** An address that a business at this location surely serves: its own. */
export function deliveryAddress(business: Members): Members {
  const [location] = Array.isArray(business.locations) ? (business.locations as Members[]) : []
  const [line1 = '1 Main Street', city = 'New York', region = ''] = String(location?.address ?? '').split(/, */)
  const [postal_code] = /\d{4,5}$/.exec(region) ?? []
  const { coordinates } = location ?? {}
  return {
    line1: line1 || '1 Main Street',
    city,
    ...(postal_code && { postal_code }),
    country: 'US',
    ...(coordinates !== undefined && { coordinates }),
  }
}
