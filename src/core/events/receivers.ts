import { type RawBuilder, sql } from 'kysely'

/** The start of the receiver name of a platform. The profile URL of the platform follows. */
export const TO_PROFILE = 'profile '
/**
 * The start of the receiver name for events that strangers (callers with an unpublished key) cause. These events go to
 * the platform's usual webhook, but in separate queues. Strangers therefore cannot delay the platform's own events.
 */
export const FOR_STRANGERS = 'strangers of '
export const TO_SUBSCRIPTION = 'subscription '
/**
 * The start of the column `crowd` for subscriptions of strangers (callers with an unpublished key). One delivery limit
 * applies to all these subscriptions together.
 */
export const CROWD_OF_STRANGERS = 'strangers '

/**
 * Returns the receivers of events about a booking or waitlist entry: the platform that created the booking or entry.
 * The list is empty if no platform created it.
 */
export function receiversOfOwner({ profile, told_apart }: { profile: string; told_apart: boolean }): string[] {
  return profile === '' ? [] : [`${told_apart ? FOR_STRANGERS : TO_PROFILE}${profile}`]
}

/**
 * SQL for the receiver of events about a booking or waitlist entry: the platform that created the row. The result is
 * null if no platform created it.
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
 * Whether the HTTP status 410 (gone) ends all deliveries to a receiver. It ends the deliveries to a subscription, and
 * of events that strangers cause. It does not end the deliveries of events about the platform's own bookings.
 */
export const endsWhenGone = (receiver: string): boolean =>
  receiver.startsWith(FOR_STRANGERS) || receiver.startsWith(TO_SUBSCRIPTION)
