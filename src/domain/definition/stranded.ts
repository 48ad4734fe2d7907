import type { Database } from '../../infra/db/database.ts'
import { written } from '../../infra/time/zone.ts'
import { isShareUsed, letOthers } from '../../infra/util/long-work.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { referenceOf } from '../bookings/reference.ts'
import { type AgreedBooking, agreedBookings } from './stranded-queries.ts'
import { type WhyStranded, whyStranded } from './why-stranded.ts'

export interface StrandedBooking {
  booking: AgreedBooking
  /** The reasons that this change adds. */
  reasons: WhyStranded[]
  /** Including the reasons that existed before. */
  all: WhyStranded[]
  isNew: boolean
}

/** Bookings still to begin that the new definition cannot honour, even if the old one could not either. */
export async function findStranded(
  db: Database,
  before: BusinessDefinition | undefined,
  after: BusinessDefinition,
  now: Date,
): Promise<StrandedBooking[]> {
  const [was, is] = [before ? whyStranded(before) : async () => [], whyStranded(after)]
  const found: StrandedBooking[] = []
  for await (const booking of agreedBookings(db, now)) {
    if (isShareUsed()) await letOthers()
    const all = await is(booking)
    if (all.length === 0) continue
    const known: WhyStranded[] = await was(booking)
    const reasons = all.filter((reason) => !known.includes(reason))
    found.push({ booking, reasons, all, isNew: reasons.length > 0 })
  }
  return found
}

export const STRANDED_LISTED = 50

/** The bookings that a change newly affects, the earliest first, without people. */
export function toStranded(found: readonly StrandedBooking[]) {
  const fresh = found.filter(({ isNew }) => isNew)
  return { total: fresh.length, bookings: fresh.slice(0, STRANDED_LISTED).map(toListed) }
}

const toListed = ({ booking, reasons }: StrandedBooking) => ({
  ...{ id: booking.id, reference: referenceOf(booking), service_id: booking.service_id },
  service_name: booking.service_name,
  start: written(booking.zone, booking.starts_at.getTime()),
  end: written(booking.zone, booking.ends_at.getTime()),
  ...{ resource_ids: booking.resource_ids, reasons },
})

export type Stranded = ReturnType<typeof toStranded>

export const NOTHING_STRANDED: Stranded = { total: 0, bookings: [] }
