import { type RawBuilder, sql } from 'kysely'

/** The prefix of the names of receivers that are platforms. The profile URL of the platform follows the prefix. */
export const TO_PROFILE = 'profile '
/**
 * The prefix of the receiver name for events that strangers (callers with an unpublished key) cause. The server sends
 * these events to the usual webhook of the platform, but from separate queues. Therefore strangers cannot delay the
 * platform's own events.
 */
export const FOR_STRANGERS = 'strangers of '
export const TO_SUBSCRIPTION = 'subscription '
/**
 * The prefix in the column `crowd` of subscriptions that belong to strangers (callers with an unpublished key). All
 * these subscriptions together share one delivery limit.
 */
export const CROWD_OF_STRANGERS = 'strangers '

/**
 * Returns the receivers of events about a booking or waitlist entry. The receiver is the platform that created the
 * booking or entry. The list is empty if no platform created it.
 */
export function receiversOfOwner({ profile, told_apart }: { profile: string; told_apart: boolean }): string[] {
  return profile === '' ? [] : [`${told_apart ? FOR_STRANGERS : TO_PROFILE}${profile}`]
}

/**
 * SQL for the receiver of events about a booking or waitlist entry. The receiver is the platform that created the row.
 * The result is null if no platform created it.
 */
export const receiverOfOwnerSql = (table: string): RawBuilder<string | null> => sql`
  case when ${sql.ref(`${table}.profile`)} <> '' then
    case when ${sql.ref(`${table}.told_apart`)} then ${FOR_STRANGERS} else ${TO_PROFILE} end || ${sql.ref(`${table}.profile`)}
  end`

/** Returns the profile URL in the name of a receiver, or undefined if the receiver is a subscription. */
export function profileOf(receiver: string): string | undefined {
  const prefix = [TO_PROFILE, FOR_STRANGERS].find((name) => receiver.startsWith(name))
  return prefix === undefined ? undefined : receiver.slice(prefix.length)
}

/**
 * Whether the answer 410 (gone) of a receiver ends all deliveries to this receiver. True for subscriptions, and for
 * events that strangers (callers with an unpublished key) cause. False for events about the platform's own bookings.
 */
export const endsWhenGone = (receiver: string): boolean =>
  receiver.startsWith(FOR_STRANGERS) || receiver.startsWith(TO_SUBSCRIPTION)
