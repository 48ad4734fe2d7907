import type { Members } from '../../caller/answer.ts'

interface Place {
  lat: number
  lng: number
}

/** Kilometers in one degree of latitude, on a sphere with the mean radius of the earth. */
const KM_PER_DEGREE = 111.195

/**
 * Places in the Pacific Ocean, where a registry has hardly any other businesses. The two places are far from each
 * other.
 */
export const BUSINESS_CENTER: Place = { lat: -45.5, lng: -130.25 }
export const SERVICE_CENTER: Place = { lat: -44.5, lng: -125.25 }

export const northOf = ({ lat, lng }: Place, km: number): Place => ({ lat: lat + km / KM_PER_DEGREE, lng })

/** Invalid location filters. Each search must refuse them. */
export const INVALID_CIRCLES: Members[] = [
  { coordinates: BUSINESS_CENTER, radius_km: -1 },
  { coordinates: { lat: 1 }, radius_km: 1 },
]
