import { mailLink, phoneLink } from '../../core/business/contact-channels.ts'
import { REST_BASE } from '../../protocol/base-url-paths.ts'
import { referenceOf } from '../bookings/booking-response.ts'
import { isReachable } from '../bookings/notify-about-booking.ts'
import { fullName } from '../bookings/people-of-booking.ts'
import type { NotificationContext } from './notification-context.ts'
import type { StaffNotificationKind } from './staff-notifications.ts'

/**
 * Steps of the staff that have no button at the desk, so the staff need a REST call. The operations of these steps are
 * in a higher layer, and this file may not import them. Therefore this file repeats their paths, and a test compares
 * the paths.
 */
export const steps = { resolve_dispute: 'POST /business/bookings/{booking_id}/dispute/resolve' } as const

const stepsOfKind: Partial<Record<StaffNotificationKind, readonly (keyof typeof steps)[]>> = {
  'booking.dispute_opened': ['resolve_dispute'],
}

export const stepRows = (
  kind: StaffNotificationKind,
  { booking, localizer }: NotificationContext,
): [name: string, value: string][] =>
  (stepsOfKind[kind] ?? []).map((step) => {
    const call = steps[step].replace('{booking_id}', referenceOf(booking)).replace(' ', ` ${REST_BASE}`)
    return [localizer.say(`letter.staff.step.${step}`), call]
  })

export const answerRows = ({
  booking: { record, people },
}: NotificationContext): [question: string, answer: string][] =>
  (record.intake ?? []).flatMap(({ id, question }): [string, string][] => {
    const answer = people.answers?.[id]
    return answer ? [[question, answer]] : []
  })

export const deskAction = ({ deskUrl, localizer }: NotificationContext): { label: string; url: string } => ({
  label: localizer.say('letter.staff.desk'),
  url: deskUrl,
})

export function contactActions({
  booking: { people },
  localizer: { say },
}: NotificationContext): { label: string; url: string }[] {
  const { buyer } = people
  const { phone_number: phone, email } = buyer
  const name = fullName(buyer)
  return [
    ...(phone ? [{ label: say('letter.staff.call', { name }), url: phoneLink(phone) }] : []),
    ...(isReachable(people) ? [{ label: say('letter.staff.write', { name }), url: mailLink(email) }] : []),
  ]
}
