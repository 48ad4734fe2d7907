import { folded } from '../../infra/util/folded.ts'
import type { Property } from './ics-lines.ts'
import type { SourceRow } from './source-row.ts'

export interface Invited {
  /** What of the buyer is known. */
  buyer: Pick<SourceRow['values'], 'name' | 'email' | 'phone'>
  /** Who or what is invited besides, and stands nowhere in the booking. */
  leftOut: string[]
  /** Why it is nobody's booking. */
  fault?: string
}

/**
 * Who comes: the one person who is invited, or of several the one whom the title names. Whoever invites is of the business, though
 * most calendars list them too, and a room is nobody.
 */
export function invited(event: readonly Property[], title: string): Invited {
  const organizer = event.find(({ name }) => name === 'ORGANIZER')
  const others = event
    .filter(({ name }) => name === 'ATTENDEE')
    .filter((one) => !organizer || addressOf(one) !== addressOf(organizer))
  const people = others.filter(({ parameters: { CUTYPE = '' } }) => !/^(ROOM|RESOURCE)$/i.test(CUTYPE))
  const things = others.length - people.length
  const rooms = things > 0 ? [`rooms or things that are invited: ${things}`] : []
  const [first, ...more] = people
  if (!first) return { buyer: { name: title }, leftOut: rooms }
  if (more.length === 0) return { buyer: buyerOf(first, title), leftOut: rooms, ...declined(first) }
  const [named, ...alike] = people.filter((one) => isNamed(one, title))
  if (named && alike.length === 0)
    return { buyer: buyerOf(named, title), leftOut: [...rooms, aside(more.length)], ...declined(named) }
  if (title === '')
    return { buyer: {}, leftOut: rooms, fault: `It invites ${people.length}: which of them books, it does not say.` }
  return { buyer: { name: title }, leftOut: [...rooms, aside(people.length)] }
}

const aside = (count: number) => `people who are invited beside whoever comes, with their addresses: ${count}`

const isNamed = (one: Property, title: string) =>
  title !== '' && [one.parameters.CN ?? '', addressOf(one)].some((own) => folded(own) === folded(title))

const declined = ({ parameters: { PARTSTAT = '' } }: Property) =>
  PARTSTAT.toUpperCase() === 'DECLINED' && { fault: 'Whoever was invited declined.' }

/** Some calendars write an address that is theirs alone, and the one of the person beside it. */
const writtenAddressOf = ({ value, parameters: { EMAIL } }: Property) =>
  (EMAIL ?? value.trim()).replace(/^mailto:/i, '')

const addressOf = (one: Property) => writtenAddressOf(one).toLowerCase()

function buyerOf(one: Property, title: string): Invited['buyer'] {
  const address = writtenAddressOf(one)
  const phone = /^tel:(.*)$/i.exec(one.value.trim())?.[1] ?? ''
  return { name: one.parameters.CN || title || phone || address, email: address.includes('@') ? address : '', phone }
}
