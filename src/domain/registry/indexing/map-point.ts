import type { RegistryLocation } from '../../../protocol/types.generated.ts'

type MapPoint = NonNullable<RegistryLocation['coordinates']>

/** Nine decimals of a degree: a tenth of a millimetre. Products of smaller values underflow in the index of places. */
const DECIMALS = 1e9

export const mapPoint = ({ lat, lng }: MapPoint): MapPoint => ({ lat: rounded(lat), lng: rounded(lng) })

/** `+ 0` turns -0 into 0, because JSON has no signed zero. */
const rounded = (degrees: number) => Math.round(degrees * DECIMALS) / DECIMALS + 0
