import { isEqualInConstantTime, type Tag } from '../../protocol/tags.ts'

/** The content of a slot id. It identifies a place in the schedule and grants no rights. */
export interface SlotKey {
  service: string
  start: number
  end: number
  location: string | undefined
  picks: string[]
}

const PREFIX = 'slot_'
/** Ids of services, locations and resources never contain this character. */
const SEPARATOR = '~'
const TAG_LENGTH = 12

/** A compact, self-contained id. The tag makes an altered id invalid. */
export function slotId(tag: Tag, { service, start, end, location = '', picks }: SlotKey): string {
  const text = [service, (start / 1000).toString(36), ((end - start) / 1000).toString(36), location, ...picks].join(
    SEPARATOR,
  )
  return PREFIX + Buffer.from(text).toString('base64url') + tag('slot', text)
}

export function readSlotId(tag: Tag, id: string): SlotKey | undefined {
  const text = Buffer.from(id.slice(PREFIX.length, -TAG_LENGTH), 'base64url').toString()
  const [service = '', start = '', duration = '', location = '', ...picks] = text.split(SEPARATOR)
  const from = Number.parseInt(start, 36) * 1000
  const key = {
    service,
    start: from,
    end: from + Number.parseInt(duration, 36) * 1000,
    location: location || undefined,
    picks,
  }
  return Number.isSafeInteger(key.end) && isEqualInConstantTime(slotId(tag, key), id) ? key : undefined
}
