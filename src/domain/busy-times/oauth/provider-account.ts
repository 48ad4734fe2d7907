import type { CalendarProvider } from '../../../infra/config/calendar-providers.ts'

/** The access to the calendars of a person at a provider. The server stores it encrypted. */
export interface ProviderAccount {
  provider: CalendarProvider
  refreshToken: string
  /** The email address of the account, or the id of its main calendar. */
  account: string
  /** The ids of the calendars that block time. Without ids, all calendars do, also those that are added later. */
  calendars?: string[] | undefined
}

export const providerAccountOf = (text: string): ProviderAccount => JSON.parse(text)

export const textOfAccount = (account: ProviderAccount): string => JSON.stringify(account)

/** A calendar of an account. */
export interface ProviderCalendar {
  id: string
  name: string
  isMain: boolean
}

export const MAX_CALENDARS = 100
export const MAX_ID_CHARACTERS = 500

/**
 * Returns the calendars that block time. Undefined if a chosen calendar no longer exists. Otherwise its times would become
 * free, and the staff would not notice it.
 */
export function chosenCalendars(
  all: readonly ProviderCalendar[],
  chosen: readonly string[] | undefined,
): ProviderCalendar[] | undefined {
  if (!chosen) return [...all]
  if (!chosen.every((id) => all.some((one) => one.id === id))) return undefined
  return all.filter(({ id }) => chosen.includes(id))
}
