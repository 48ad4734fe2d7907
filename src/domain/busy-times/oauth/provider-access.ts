import type { KeyObject } from 'node:crypto'
import { authorizationRequestUrl } from '../../../core/authentication/authorization-request.ts'
import { type CalendarApp, storedCalendarApp } from '../../../core/business/calendar-app-queries.ts'
import { callOutside, EgressError, type EgressResponse } from '../../../core/egress/call-external-url.ts'
import { unsealIfPossible } from '../../../core/keys/encrypt-secrets.ts'
import { type CalendarProvider, endpointsOf, returnUrl } from '../../../infra/config/calendar-providers.ts'
import type { Config } from '../../../infra/config/read-config.ts'
import type { Database } from '../../../infra/db/database.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import { UnreadCalendarError } from '../calendar-problems.ts'
import { failureOf, problemOfEgress } from '../fetch-calendar.ts'
import type { ProviderAccount } from './provider-account.ts'
import { documentOf } from './provider-client.ts'

/** The permissions that the server needs: to list the calendars of the account, and to read their events. */
const SCOPES: Record<CalendarProvider, readonly string[]> = {
  google: [
    'https://www.googleapis.com/auth/calendar.calendarlist.readonly',
    'https://www.googleapis.com/auth/calendar.events.readonly',
  ],
  microsoft: ['https://graph.microsoft.com/Calendars.Read'],
}

/**
 * What makes the provider send a refresh token. Google sends one only with `offline`, and only with `consent` also to a
 * person who granted access before. Microsoft sends one for a scope of its own.
 */
const OFFLINE: Record<CalendarProvider, { scopes: readonly string[]; parameters: Record<string, string> }> = {
  google: { scopes: [], parameters: { access_type: 'offline', prompt: 'consent' } },
  microsoft: { scopes: ['offline_access'], parameters: { prompt: 'select_account' } },
}

const TIMEOUT_MS = 10_000
const MAX_BYTES = 64 * 1024
const BOUNDS = { deepest: 8, mostValues: 200, longestText: 16 * 1024 }
export const MAX_TOKEN_CHARACTERS = 4_000

/** The app of the business at a provider, with its decrypted secret. */
export interface ProviderApp extends Pick<CalendarApp, 'provider' | 'client_id'> {
  secret: string
}

/** Throws an error if the business has no app at the provider, or if its secret cannot be decrypted. */
export async function providerApp(db: Database, provider: CalendarProvider, key: KeyObject): Promise<ProviderApp> {
  const stored = await storedCalendarApp(db, provider)
  const secret = stored && unsealIfPossible(key, stored.client_secret)
  if (!stored || secret === undefined) throw new UnreadCalendarError('app_refused')
  return { provider, client_id: stored.client_id, secret }
}

/** Returns the URL at the provider on which a person grants access. */
export function authorizationUrl(
  { provider, client_id }: Pick<CalendarApp, 'provider' | 'client_id'>,
  { state, verifier }: { state: string; verifier: string },
  config: Config,
): string {
  const { scopes, parameters } = OFFLINE[provider]
  return authorizationRequestUrl(endpointsOf(provider, config).authorization, {
    clientId: client_id,
    redirectUri: returnUrl(provider, config.baseUrl),
    scope: [...SCOPES[provider], ...scopes].join(' '),
    state,
    verifier,
    more: parameters,
  })
}

export interface Tokens {
  access: string
  refresh: string
}

/**
 * Exchanges the code of the provider for tokens. A person can refuse single permissions on the page of Google. Then the
 * access is of no use.
 */
export async function tokensForCode(code: string, verifier: string, app: ProviderApp, config: Config): Promise<Tokens> {
  const redirect_uri = returnUrl(app.provider, config.baseUrl)
  const form = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri }
  const { access_token: access, refresh_token: refresh, scope } = await askForToken(form, app, config)
  const granted = typeof scope === 'string' ? scope.split(' ').map(nameOfScope) : []
  if (!isToken(access) || !isToken(refresh) || !SCOPES[app.provider].every((one) => granted.includes(nameOfScope(one))))
    throw new UnreadCalendarError('access_revoked')
  return { access, refresh }
}

/** Microsoft names the scopes of Graph with or without their host, and not always in the same case. */
const nameOfScope = (scope: string): string => scope.replace(/^https:\/\/graph\.microsoft\.com\//i, '').toLowerCase()

/**
 * Returns an access token for the account with this refresh token, which expires after about an hour. Microsoft also sends
 * a new refresh token, because each one expires after 90 days.
 */
export async function accessToken(refreshToken: string, app: ProviderApp, config: Config): Promise<Tokens> {
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken }
  const { access_token: access, refresh_token: next } = await askForToken(form, app, config)
  if (!isToken(access)) throw new UnreadCalendarError('access_revoked')
  return { access, refresh: isToken(next) ? next : refreshToken }
}

const isToken = (token: unknown): token is string =>
  typeof token === 'string' && token.length <= MAX_TOKEN_CHARACTERS && /^[\x21-\x7e]+$/.test(token)

/** The errors that mean that the person or an administrator no longer permits the access. */
const REVOKED = [
  'invalid_grant',
  'access_denied',
  'admin_policy_enforced',
  'invalid_scope',
  'interaction_required',
  'consent_required',
]

/** Ends a token at the provider. Microsoft has no such call for the token of one app. */
export async function revokeToken({ provider, refreshToken }: ProviderAccount, config: Config): Promise<void> {
  const { revocation } = endpointsOf(provider, config)
  if (revocation !== undefined) await postForm(revocation, { token: refreshToken }, config)
}

async function askForToken(form: Record<string, string>, { provider, client_id, secret }: ProviderApp, config: Config) {
  const { token } = endpointsOf(provider, config)
  const answer = await postForm(token, { ...form, client_id, client_secret: secret }, config)
  const document = asRecord(documentOf(answer.body, BOUNDS))
  if (answer.status === 200) return document
  throw new UnreadCalendarError(REVOKED.includes(String(document.error)) ? 'access_revoked' : 'app_refused')
}

async function postForm(address: string, form: Record<string, string>, config: Config): Promise<EgressResponse> {
  const body = Buffer.from(new URLSearchParams(form).toString())
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
  const request = { method: 'POST' as const, headers, body, timeout: TIMEOUT_MS, mostBytes: MAX_BYTES }
  const answer = await callOutside(address, request, config).catch((error: unknown) => {
    throw error instanceof EgressError ? problemOfEgress(error) : error
  })
  const failure = failureOf(answer)
  if (failure) throw failure
  return answer
}
