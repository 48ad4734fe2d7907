import { mailLink, phoneLink } from '../../infra/util/contact-links.ts'
import { REST_BASE } from '../../protocol/paths.ts'
import { fullName } from '../bookings/people.ts'
import { referenceOf } from '../bookings/reference.ts'
import { isReachable } from '../bookings/tell-of-booking.ts'
import type { About } from './about.ts'
import type { StaffLetterKind } from './to-staff.ts'

/** The calls for what is next and has no button at the desk. They belong to a floor above; a test holds them together. */
export const steps = { resolve_dispute: 'POST /business/bookings/{booking_id}/dispute/resolve' } as const

const asked: Partial<Record<StaffLetterKind, readonly (keyof typeof steps)[]>> = {
  'booking.dispute_opened': ['resolve_dispute'],
}

/** Told for this very booking: nobody has to look anything up. */
export const stepRows = (kind: StaffLetterKind, { booking, speech }: About): [name: string, value: string][] =>
  (asked[kind] ?? []).map((step) => {
    const call = steps[step].replace('{booking_id}', referenceOf(booking)).replace(' ', ` ${REST_BASE}`)
    return [speech.say(`letter.staff.step.${step}`), call]
  })

/** What the buyer was asked before, with what they said. */
export const answerRows = ({ booking: { record, people } }: About): [question: string, answer: string][] =>
  (record.intake ?? []).flatMap(({ id, question }): [string, string][] => {
    const answer = people.answers?.[id]
    return answer ? [[question, answer]] : []
  })

/** Where everything that can be done to it is one press. */
export const deskAction = ({ deskUrl, speech }: About): { label: string; url: string } => ({
  label: speech.say('letter.staff.desk'),
  url: deskUrl,
})

/** To speak to whoever booked, right from the mail. */
export function waysToBuyer({ booking: { people }, speech: { say } }: About): { label: string; url: string }[] {
  const { buyer } = people
  const { phone_number: phone, email } = buyer
  const name = fullName(buyer)
  return [
    ...(phone ? [{ label: say('letter.staff.call', { name }), url: phoneLink(phone) }] : []),
    ...(isReachable(people) ? [{ label: say('letter.staff.write', { name }), url: mailLink(email) }] : []),
  ]
}
