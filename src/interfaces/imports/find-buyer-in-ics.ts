import { folded } from '../../infra/util/plain-text.ts'
import type { SourceRow } from './import-columns.ts'
import type { Property } from './parse-ics-lines.ts'

export interface Invited {
  buyer: Pick<SourceRow['values'], 'name' | 'email' | 'phone'>
  /** Texts about data of the calendar event that the import does not store, such as other guests and invited rooms. */
  leftOut: string[]
  /**
   * The reason why the import cannot convert the calendar event to a booking. Undefined if the import can convert the
   * event.
   */
  fault?: string
}

/**
 * Finds the buyer of a calendar event. This is the only invited person, or else the invited person whom the title
 * names. If there is no such person, the title is the buyer's name. The organizer, rooms and things do not count as
 * invited people.
 */
export function findBuyer(event: readonly Property[], title: string): Invited {
  const organizer = event.find(({ name }) => name === 'ORGANIZER')
  const attendees = event
    .filter(({ name }) => name === 'ATTENDEE')
    .filter((one) => !organizer || addressOf(one) !== addressOf(organizer))
  const people = attendees.filter(({ parameters: { CUTYPE = '' } }) => !/^(ROOM|RESOURCE)$/i.test(CUTYPE))
  const thingCount = attendees.length - people.length
  const rooms = thingCount > 0 ? [`rooms or things that are invited: ${thingCount}`] : []
  const [first, ...more] = people
  if (!first) return { buyer: { name: title }, leftOut: rooms }
  if (more.length === 0) return { buyer: buyerOf(first, title), leftOut: rooms, ...declined(first) }
  const [named, ...alike] = people.filter((one) => isNamed(one, title))
  if (named && alike.length === 0)
    return { buyer: buyerOf(named, title), leftOut: [...rooms, otherGuestsText(more.length)], ...declined(named) }
  if (title === '')
    return { buyer: {}, leftOut: rooms, fault: `It invites ${people.length}: which of them books, it does not say.` }
  return { buyer: { name: title }, leftOut: [...rooms, otherGuestsText(people.length)] }
}

const otherGuestsText = (count: number) => `people who are invited beside whoever comes, with their addresses: ${count}`

const isNamed = (one: Property, title: string) =>
  title !== '' && [one.parameters.CN ?? '', addressOf(one)].some((text) => folded(text) === folded(title))

const declined = ({ parameters: { PARTSTAT = '' } }: Property) =>
  PARTSTAT.toUpperCase() === 'DECLINED' && { fault: 'Whoever was invited declined.' }

/**
 * Returns the email address of an invited person. Some calendars write an internal address as the value, and the real
 * address in the parameter EMAIL.
 */
const writtenAddressOf = ({ value, parameters: { EMAIL } }: Property) =>
  (EMAIL ?? value.trim()).replace(/^mailto:/i, '')

const addressOf = (one: Property) => writtenAddressOf(one).toLowerCase()

function buyerOf(one: Property, title: string): Invited['buyer'] {
  const address = writtenAddressOf(one)
  const phone = /^tel:(.*)$/i.exec(one.value.trim())?.[1] ?? ''
  return { name: one.parameters.CN || title || phone || address, email: address.includes('@') ? address : '', phone }
}
