import { isThisMachine } from '../net/ip-addresses.ts'

/** The providers of calendars at which a business can have an app. */
export const CALENDAR_PROVIDERS = ['google', 'microsoft'] as const
export type CalendarProvider = (typeof CALENDAR_PROVIDERS)[number]

/** The addresses of a provider that the server uses. */
export interface ProviderEndpoints {
  /** The page on which a person grants access. */
  authorization: string
  token: string
  /** Ends a token. Undefined if the provider has no such address. */
  revocation: string | undefined
  calendars: string
}

/** The origins of fake providers on this machine, for tests. */
interface StandIns {
  googleApiBase: string | undefined
  microsoftApiBase: string | undefined
}

export function endpointsOf(
  provider: CalendarProvider,
  { googleApiBase, microsoftApiBase }: StandIns,
): ProviderEndpoints {
  if (provider === 'google')
    return {
      authorization: `${googleApiBase ?? 'https://accounts.google.com'}/o/oauth2/v2/auth`,
      token: `${googleApiBase ?? 'https://oauth2.googleapis.com'}/token`,
      revocation: `${googleApiBase ?? 'https://oauth2.googleapis.com'}/revoke`,
      calendars: `${googleApiBase ?? 'https://www.googleapis.com'}/calendar/v3`,
    }
  const signIn = `${microsoftApiBase ?? 'https://login.microsoftonline.com'}/common/oauth2/v2.0`
  return {
    authorization: `${signIn}/authorize`,
    token: `${signIn}/token`,
    revocation: undefined,
    calendars: `${microsoftApiBase ?? 'https://graph.microsoft.com'}/v1.0`,
  }
}

/**
 * Whether the URL is a fake provider on this machine. The server refuses other URLs, because it sends the secret of the
 * app to this URL.
 */
export function isProviderStandIn(address: string): boolean {
  const url = URL.parse(address)
  return url?.protocol === 'https:' && address === url.origin && isThisMachine(url)
}

/** The path at the desk that starts the connection of calendars at a provider. */
export const grantPath = (provider: CalendarProvider): string => `/desk/calendars/${provider}`
export const returnPath = (provider: CalendarProvider): string => `${grantPath(provider)}/return`

/** The URL to which a provider sends the browser back. It comes from the settings and never from the `Host` header. */
export const returnUrl = (provider: CalendarProvider, baseUrl: string): string => `${baseUrl}${returnPath(provider)}`
