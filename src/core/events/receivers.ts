import { type RawBuilder, sql } from 'kysely'

/** The prefixes of receiver names, before the URL of a profile or the id of a subscription. */
export const TO_PROFILE = 'profile '
/**
 * The webhook of a profile, with separate queues: events that strangers cause must not delay or pause the platform's own.
 */
export const FOR_STRANGERS = 'strangers of '
export const TO_SUBSCRIPTION = 'subscription '
/** The prefix of `crowd` in the subscription of a stranger. */
export const CROWD_OF_STRANGERS = 'strangers '

/** The platform that created a booking or waitlist entry. No other receiver gets its events. */
export function receiversOfOwner({ profile, told_apart }: { profile: string; told_apart: boolean }): string[] {
  return profile === '' ? [] : [`${told_apart ? FOR_STRANGERS : TO_PROFILE}${profile}`]
}

/** The same as an SQL expression for a row; null without a platform. */
export const receiverOfOwnerSql = (table: string): RawBuilder<string | null> => sql`
  case when ${sql.ref(`${table}.profile`)} <> '' then
    case when ${sql.ref(`${table}.told_apart`)} then ${FOR_STRANGERS} else ${TO_PROFILE} end || ${sql.ref(`${table}.profile`)}
  end`

/** The profile URL in the name of a receiver; undefined for a subscription. */
export function profileOf(receiver: string): string | undefined {
  const prefix = [TO_PROFILE, FOR_STRANGERS].find((name) => receiver.startsWith(name))
  return prefix === undefined ? undefined : receiver.slice(prefix.length)
}

/**
 * Whether HTTP 410 ends all deliveries to a receiver. It does for a subscription and for events that strangers caused. It
 * does not for the bookings of the platform itself.
 */
export const endsWhenGone = (receiver: string): boolean =>
  receiver.startsWith(FOR_STRANGERS) || receiver.startsWith(TO_SUBSCRIPTION)
