import { type RawBuilder, sql } from 'kysely'

/** The first part of a receiver's name. The profile URL of a platform follows. */
export const TO_PROFILE = 'profile '
/**
 * The first part of the receiver's name for events that strangers cause. These events go to the same webhook as the
 * other events of the platform. Separate queues prevent strangers from delaying these other events.
 */
export const FOR_STRANGERS = 'strangers of '
export const TO_SUBSCRIPTION = 'subscription '
/** The first part of the column `crowd` in a subscription that a stranger created. */
export const CROWD_OF_STRANGERS = 'strangers '

/** Returns the receivers of events about a booking or waitlist entry: the platform that created it, if any. */
export function receiversOfOwner({ profile, told_apart }: { profile: string; told_apart: boolean }): string[] {
  return profile === '' ? [] : [`${told_apart ? FOR_STRANGERS : TO_PROFILE}${profile}`]
}

/**
 * SQL for the receiver of events about a booking or waitlist entry: the platform that created the row. The result is
 * null if no platform created the row.
 */
export const receiverOfOwnerSql = (table: string): RawBuilder<string | null> => sql`
  case when ${sql.ref(`${table}.profile`)} <> '' then
    case when ${sql.ref(`${table}.told_apart`)} then ${FOR_STRANGERS} else ${TO_PROFILE} end || ${sql.ref(`${table}.profile`)}
  end`

/** Returns the profile URL in the name of a receiver. Returns undefined if the receiver is a subscription. */
export function profileOf(receiver: string): string | undefined {
  const prefix = [TO_PROFILE, FOR_STRANGERS].find((name) => receiver.startsWith(name))
  return prefix === undefined ? undefined : receiver.slice(prefix.length)
}

/**
 * Whether the HTTP status 410 (gone) ends all deliveries to a receiver. The status ends a subscription, and also the
 * events that strangers cause. The status does not end events about the platform's own bookings.
 */
export const endsWhenGone = (receiver: string): boolean =>
  receiver.startsWith(FOR_STRANGERS) || receiver.startsWith(TO_SUBSCRIPTION)
