import { sameTag, type Tag } from '../../protocol/tags.ts'

/** What a slot's id says: a place in the schedule, not a right to it. */
export interface SlotKey {
  service: string
  start: number
  end: number
  location: string | undefined
  picks: string[]
}

const PREFIX = 'slot_'
/** No id of a service, location or resource contains it. */
const BETWEEN = '~'
const TAG_LENGTH = 12

/** Compact and self-contained. The tag sees to it that an altered id names nothing. */
export function slotId(tag: Tag, { service, start, end, location = '', picks }: SlotKey): string {
  const text = [service, (start / 1000).toString(36), ((end - start) / 1000).toString(36), location, ...picks].join(
    BETWEEN,
  )
  return PREFIX + Buffer.from(text).toString('base64url') + tag('slot', text)
}

/** What the id names, or nothing when this server never made it. */
export function readSlotId(tag: Tag, id: string): SlotKey | undefined {
  const text = Buffer.from(id.slice(PREFIX.length, -TAG_LENGTH), 'base64url').toString()
  const [service = '', start = '', duration = '', location = '', ...picks] = text.split(BETWEEN)
  const from = Number.parseInt(start, 36) * 1000
  const key = {
    service,
    start: from,
    end: from + Number.parseInt(duration, 36) * 1000,
    location: location || undefined,
    picks,
  }
  return Number.isSafeInteger(key.end) && sameTag(slotId(tag, key), id) ? key : undefined
}
