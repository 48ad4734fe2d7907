import { type RawBuilder, sql } from 'kysely'

/** The start of a receiver's name. The URL of a profile or the id of a subscription follows. */
export const TO_PROFILE = 'profile '
/**
 * The start of the receiver's name for events that strangers cause. These events go to the webhook of a profile, but
 * have separate queues, so that strangers cannot delay or pause the other events of the platform.
 */
export const FOR_STRANGERS = 'strangers of '
export const TO_SUBSCRIPTION = 'subscription '
/** The start of the column `crowd` in a subscription that a stranger created. */
export const CROWD_OF_STRANGERS = 'strangers '

/** The receivers of events about a booking or waitlist entry: the platform that created it, or none. */
export function receiversOfOwner({ profile, told_apart }: { profile: string; told_apart: boolean }): string[] {
  return profile === '' ? [] : [`${told_apart ? FOR_STRANGERS : TO_PROFILE}${profile}`]
}

/**
 * SQL expression for the receiver of events about a row (a booking or waitlist entry): the platform that created it.
 * Null if no platform created the row.
 */
export const receiverOfOwnerSql = (table: string): RawBuilder<string | null> => sql`
  case when ${sql.ref(`${table}.profile`)} <> '' then
    case when ${sql.ref(`${table}.told_apart`)} then ${FOR_STRANGERS} else ${TO_PROFILE} end || ${sql.ref(`${table}.profile`)}
  end`

/** The profile URL in the name of a receiver. Undefined if the receiver is a subscription. */
export function profileOf(receiver: string): string | undefined {
  const prefix = [TO_PROFILE, FOR_STRANGERS].find((name) => receiver.startsWith(name))
  return prefix === undefined ? undefined : receiver.slice(prefix.length)
}

/**
 * Whether the answer 410 (gone) ends all deliveries to a receiver. The answer ends a subscription, and the events that
 * strangers caused. Events about the platform's own bookings go on.
 */
export const endsWhenGone = (receiver: string): boolean =>
  receiver.startsWith(FOR_STRANGERS) || receiver.startsWith(TO_SUBSCRIPTION)
