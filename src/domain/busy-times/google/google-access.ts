import { hash, type KeyObject } from 'node:crypto'
import { type CalendarApp, storedCalendarApp } from '../../../core/business/calendar-app-queries.ts'
import { callOutside, EgressError } from '../../../core/egress/call-external-url.ts'
import { unsealIfPossible } from '../../../core/keys/encrypt-secrets.ts'
import { googleEndpoints, googleReturnUrl } from '../../../infra/config/google-endpoints.ts'
import type { Config } from '../../../infra/config/read-config.ts'
import type { Database } from '../../../infra/db/database.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import { UnreadCalendarError } from '../calendar-problems.ts'
import { problemOfEgress, problemOfStatus } from '../fetch-calendar.ts'
import { documentOf } from './google-client.ts'

/** The permissions that the server needs: to list the calendars of the account, and to read their events. */
export const SCOPES = [
  'https://www.googleapis.com/auth/calendar.calendarlist.readonly',
  'https://www.googleapis.com/auth/calendar.events.readonly',
]
const TIMEOUT_MS = 10_000
const MAX_BYTES = 64 * 1024
export const MAX_TOKEN_CHARACTERS = 4_000

/** The app of the business at Google, with its decrypted secret. */
export interface GoogleApp extends Pick<CalendarApp, 'client_id'> {
  secret: string
}

/** Throws an error if the business has no app at Google, or if its secret cannot be decrypted. */
export async function googleApp(db: Database, key: KeyObject): Promise<GoogleApp> {
  const stored = await storedCalendarApp(db, 'google')
  const secret = stored && unsealIfPossible(key, stored.client_secret)
  if (!stored || secret === undefined) throw new UnreadCalendarError('app_refused')
  return { client_id: stored.client_id, secret }
}

/**
 * Returns the URL at Google on which a person grants access. Google sends a refresh token only with `offline`, and only
 * with `consent` also to a person who granted access before.
 */
export function authorizationUrl(
  { client_id }: Pick<CalendarApp, 'client_id'>,
  { state, verifier }: { state: string; verifier: string },
  { googleApiBase, baseUrl }: Config,
): string {
  const url = new URL(googleEndpoints(googleApiBase).authorization)
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: googleReturnUrl(baseUrl),
    scope: SCOPES.join(' '),
    access_type: 'offline',
    prompt: 'consent',
    state,
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
  }).toString()
  return url.href
}

export interface Tokens {
  access: string
  refresh: string
}

/**
 * Exchanges the code of Google for tokens. A person can refuse single permissions on the page of Google. Then the access
 * is of no use.
 */
export async function tokensForCode(code: string, verifier: string, app: GoogleApp, config: Config): Promise<Tokens> {
  const redirect_uri = googleReturnUrl(config.baseUrl)
  const form = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri }
  const { access_token: access, refresh_token: refresh, scope } = await askForToken(form, app, config)
  const granted = typeof scope === 'string' ? scope.split(' ') : []
  if (!isToken(access) || !isToken(refresh) || !SCOPES.every((one) => granted.includes(one)))
    throw new UnreadCalendarError('access_revoked')
  return { access, refresh }
}

/** Returns an access token for the account with this refresh token. Google lets it expire after an hour. */
export async function accessToken(refreshToken: string, app: GoogleApp, config: Config): Promise<string> {
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken }
  const { access_token: token } = await askForToken(form, app, config)
  if (!isToken(token)) throw new UnreadCalendarError('access_revoked')
  return token
}

const isToken = (token: unknown): token is string =>
  typeof token === 'string' && token.length <= MAX_TOKEN_CHARACTERS && /^[\x21-\x7e]+$/.test(token)

/** The errors that mean that the person or an administrator no longer permits the access. */
const REVOKED = ['invalid_grant', 'access_denied', 'admin_policy_enforced', 'invalid_scope']

async function askForToken(form: Record<string, string>, { client_id, secret }: GoogleApp, config: Config) {
  const body = Buffer.from(new URLSearchParams({ ...form, client_id, client_secret: secret }).toString())
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
  const request = { method: 'POST' as const, headers, body, timeout: TIMEOUT_MS, mostBytes: MAX_BYTES }
  const answer = await callOutside(googleEndpoints(config.googleApiBase).token, request, config).catch(
    (error: unknown) => {
      throw error instanceof EgressError ? problemOfEgress(error) : error
    },
  )
  if (answer.status === 429 || answer.status === 408 || answer.status >= 500) throw problemOfStatus(answer)
  const document = asRecord(documentOf(answer.body))
  if (answer.status === 200) return document
  throw new UnreadCalendarError(REVOKED.includes(String(document.error)) ? 'access_revoked' : 'app_refused')
}
