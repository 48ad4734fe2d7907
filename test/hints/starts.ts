import { rulerOf, startAt } from '../../src/domain/catalog/decode-slot-bitmap.ts'
import type { AvailabilitySlotBitmap } from '../../src/protocol/types.generated.ts'
import type { Desk, Slot } from '../support/desk.ts'

const DAY = 86_400_000

/** The free starts of a bitmap, in milliseconds since 1970. */
export function startsOf(bitmap: AvailabilitySlotBitmap): number[] {
  const ruler = rulerOf(bitmap)
  if (!ruler) throw new Error('The bitmap cannot be read')
  return ruler.open.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, nth) => startAt(ruler, first + nth)),
  )
}

/** All starts of free slots between two dates, by duration, as the availability query tells them. */
export async function queriedStarts(
  desk: Desk,
  { id, from, to }: { id: string; from: string; to: string },
  durationOf: (slot: Slot) => string = ({ duration }) => duration,
): Promise<Map<string, number[]>> {
  const starts = new Map<string, Set<number>>()
  for (let day = Date.parse(from); day <= Date.parse(to); day += 7 * DAY) {
    const [start_date, end_date] = [day, Math.min(day + 6 * DAY, Date.parse(to))].map((one) =>
      new Date(one).toISOString().slice(0, 10),
    )
    for (let cursor: string | undefined, more = true; more; ) {
      const input = { service_id: id, start_date, end_date, limit: 200, ...(cursor && { cursor }) }
      const { data } = await desk.call('usp_availability_query', input, { as: {} })
      for (const slot of data.slots) {
        if (slot.capacity?.remaining === 0) continue
        const duration = durationOf(slot)
        starts.set(duration, (starts.get(duration) ?? new Set()).add(Date.parse(slot.start)))
      }
      more = data.pagination.has_more
      cursor = data.pagination.cursor
    }
  }
  return new Map([...starts].map(([duration, ones]) => [duration, [...ones].sort((one, other) => one - other)]))
}
