import { isThisMachine } from '../net/ip-addresses.ts'

/** The addresses of Google that the server uses. */
export interface GoogleEndpoints {
  /** The page on which a person grants access. */
  authorization: string
  token: string
  calendars: string
}

export const googleEndpoints = (standIn: string | undefined): GoogleEndpoints => ({
  authorization: `${standIn ?? 'https://accounts.google.com'}/o/oauth2/v2/auth`,
  token: `${standIn ?? 'https://oauth2.googleapis.com'}/token`,
  calendars: `${standIn ?? 'https://www.googleapis.com'}/calendar/v3`,
})

/**
 * Whether the URL is a fake Google on this machine. The server refuses other URLs, because it sends the secret of the
 * app to this URL.
 */
export function isGoogleStandIn(address: string): boolean {
  const url = URL.parse(address)
  return url?.protocol === 'https:' && address === url.origin && isThisMachine(url)
}

export const GOOGLE_RETURN_PATH = '/desk/calendars/google/return'

/** The URL to which Google sends the browser back. It comes from the settings and never from the `Host` header. */
export const googleReturnUrl = (baseUrl: string): string => `${baseUrl}${GOOGLE_RETURN_PATH}`
