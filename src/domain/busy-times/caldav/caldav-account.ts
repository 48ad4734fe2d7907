/** The access to the calendars of a person at a CalDAV server. The server stores it encrypted. */
export interface CaldavAccount {
  address: string
  user: string
  password: string
  /** The names of the calendars that block time. Without names, all calendars do, also those that are added later. */
  calendars?: string[] | undefined
}

/** Apple sends each account from its entry host to one of these hosts. */
const APPLE_ENTRY = 'https://caldav.icloud.com'
const APPLE_HOST = /^https:\/\/p\d{1,4}-caldav\.icloud\.com(?::443)?$/

/**
 * Whether the server may send the password to this origin. A CalDAV server names the addresses of its calendars. A hostile
 * CalDAV server could name the address of another host, which would then get the password.
 */
export const mayLearnPassword = (origin: string, { address }: Pick<CaldavAccount, 'address'>): boolean => {
  const own = new URL(address).origin
  return origin === own || (own === APPLE_ENTRY && APPLE_HOST.test(origin))
}

export const accountOf = (text: string): CaldavAccount => JSON.parse(text)

export const textOf = (account: CaldavAccount): string => JSON.stringify(account)
