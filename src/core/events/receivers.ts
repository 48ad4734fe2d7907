import { type RawBuilder, sql } from 'kysely'

/** How receivers are named: what stands before the address of a profile or the id of a subscription. */
export const TO_PROFILE = 'profile '
/** The same webhook, in a line of its own: what strangers make there delays and rests nothing of the platform itself. */
export const FOR_STRANGERS = 'strangers of '
export const TO_SUBSCRIPTION = 'subscription '
/** How the crowd of a subscription begins that a stranger made. */
export const CROWD_OF_STRANGERS = 'strangers '

/** Bookings and waitlist entries are told of to the platform that made them, and to nobody else. */
export function ownersReceiver({ profile, told_apart }: { profile: string; told_apart: boolean }): string[] {
  return profile === '' ? [] : [`${told_apart ? FOR_STRANGERS : TO_PROFILE}${profile}`]
}

/** The same of a row in the database; nothing where nobody is told. */
export const ownersReceiverOf = (table: string): RawBuilder<string | null> => sql`
  case when ${sql.ref(`${table}.profile`)} <> '' then
    case when ${sql.ref(`${table}.told_apart`)} then ${FOR_STRANGERS} else ${TO_PROFILE} end || ${sql.ref(`${table}.profile`)}
  end`

/** The profile whose webhook it is. */
export function profileOf(receiver: string): string | undefined {
  const named = [TO_PROFILE, FOR_STRANGERS].find((name) => receiver.startsWith(name))
  return named === undefined ? undefined : receiver.slice(named.length)
}

/** Whether its owner can end it by an answer: nobody else may, or it is not of the owner's making. */
export const endsWhenGone = (receiver: string): boolean =>
  receiver.startsWith(FOR_STRANGERS) || receiver.startsWith(TO_SUBSCRIPTION)
