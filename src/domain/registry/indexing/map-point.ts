import type { RegistryLocation } from '../../../protocol/types.generated.ts'

type MapPoint = NonNullable<RegistryLocation['coordinates']>

/** Decimals of a degree: a tenth of a millimetre. What is smaller multiplies to less than the index of places can hold. */
const DECIMALS = 1e9

/** A point as a directory keeps it. */
export const mapPoint = ({ lat, lng }: MapPoint): MapPoint => ({ lat: rounded(lat), lng: rounded(lng) })

/** Zero has no sign in JSON. */
const rounded = (degrees: number) => Math.round(degrees * DECIMALS) / DECIMALS + 0
