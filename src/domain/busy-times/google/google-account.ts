/** The access to the calendars of a person at Google. The server stores it encrypted. */
export interface GoogleAccount {
  refreshToken: string
  /** The id of the main calendar of the account, which is its email address. */
  account: string
  /** The ids of the calendars that block time. Without ids, all calendars do, also those that are added later. */
  calendars?: string[] | undefined
}

export const googleAccountOf = (text: string): GoogleAccount => JSON.parse(text)

export const textOfAccount = (account: GoogleAccount): string => JSON.stringify(account)
