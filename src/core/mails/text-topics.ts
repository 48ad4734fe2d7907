import type { TextTopic } from '../../infra/config/text-provider.ts'

/** The kinds of notifications that can also go out as text messages, with the topics that the owner chooses. */
const topics: ReadonlyMap<string, TextTopic> = new Map([
  ['booking.confirmed', 'confirmed'],
  ['booking.approved', 'confirmed'],
  ['booking.moved', 'moved'],
  ['booking.moved_by_business', 'moved'],
  ['booking.canceled', 'canceled'],
  ['booking.canceled_by_business', 'canceled'],
  ['booking.reminder', 'reminder'],
  ['waitlist.offered', 'waitlist_offer'],
])

export const isTextWanted = (kind: string, wanted: readonly string[]): boolean => {
  const topic = topics.get(kind)
  return topic !== undefined && wanted.includes(topic)
}
