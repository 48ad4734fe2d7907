import { setTimeout as sleep } from 'node:timers/promises'
import { unseal } from '../core/keys/encrypt-secrets.ts'
import {
  type GrantAnswer,
  grantAnswerOf,
  grantBegin,
  grantEnd,
  newTerminalState,
} from '../core/tokens/grants-for-terminal.ts'
import { type Problem, UnreadCalendarError } from '../domain/busy-times/calendar-problems.ts'
import {
  authorizationUrl,
  type ProviderApp,
  providerApp,
  tokensForCode,
} from '../domain/busy-times/oauth/provider-access.ts'
import type { ProviderAccount, ProviderCalendar } from '../domain/busy-times/oauth/provider-account.ts'
import { providerReaders } from '../domain/busy-times/oauth/provider-readers.ts'
import type { CalendarProvider } from '../infra/config/calendar-providers.ts'
import { MINUTE, SECOND } from '../infra/time/time-units.ts'
import { PlainError } from '../infra/util/command-line-error.ts'
import { randomBytes } from '../infra/util/random-bytes.ts'
import type { Runtime } from '../server/build-dependencies.ts'

/** How long the command waits for the consent of a person. */
const CONSENT_MS = 10 * MINUTE
const POLL_MS = SECOND
const VERIFIER_BYTES = 32

const NAMES: Record<CalendarProvider, string> = { google: 'Google', microsoft: 'Microsoft' }

/**
 * Prints the address on which a person grants access to their calendars, and waits for the consent. The provider sends the
 * browser to the running server, which passes the code on. Only this process knows the verifier of PKCE.
 */
export async function accountByConsent(
  provider: CalendarProvider,
  calendars: readonly string[] | undefined,
  runtime: Runtime,
): Promise<ProviderAccount> {
  const { db, config, calendarKey } = runtime
  try {
    const app = await providerApp(db, provider, calendarKey)
    const verifier = randomBytes(VERIFIER_BYTES).toString('base64url')
    const code = await codeByConsent(app, verifier, runtime)
    const { access, refresh } = await tokensForCode(code, verifier, app, config)
    const listed = await providerReaders[provider](access, config).listCalendars()
    const chosen = calendars && idsOf(calendars, listed.calendars)
    return { provider, refreshToken: refresh, account: listed.account, ...(chosen && { calendars: chosen }) }
  } catch (error) {
    throw error instanceof UnreadCalendarError ? new PlainError(adviceOn(error.problem, provider)) : error
  }
}

async function codeByConsent(
  app: ProviderApp,
  verifier: string,
  { db, config, clock, calendarKey }: Runtime,
): Promise<string> {
  const { provider } = app
  const state = newTerminalState()
  await grantBegin(db, { state, provider }, new Date(clock().getTime() + CONSENT_MS))
  try {
    console.log(`Open this address in a browser within ${CONSENT_MS / MINUTE} minutes, and grant access to the calendars:

  ${authorizationUrl(app, { state, verifier }, config)}
`)
    const answer = await answerTo(state, { db })
    if (!answer) throw new PlainError('No one granted access in time. Run the command again.')
    if ('isRefused' in answer) throw new UnreadCalendarError('access_revoked')
    return unseal(calendarKey, Buffer.from(answer.code, 'base64url'))
  } finally {
    await grantEnd(db, state)
  }
}

async function answerTo(state: string, { db }: Pick<Runtime, 'db'>): Promise<GrantAnswer | undefined> {
  for (const end = performance.now() + CONSENT_MS; performance.now() < end; await sleep(POLL_MS)) {
    const answer = await grantAnswerOf(db, state)
    if (answer) return answer
  }
  return undefined
}

/** Finds the ids of the calendars with these names. */
function idsOf(names: readonly string[], all: readonly ProviderCalendar[]): string[] {
  const isSame = (calendar: ProviderCalendar, name: string) => calendar.name.toLowerCase() === name.toLowerCase()
  const missing = names.find((name) => !all.some((calendar) => isSame(calendar, name)))
  if (missing !== undefined)
    throw new PlainError(
      `The account has no calendar ${missing}. It has: ${all.map(({ name }) => name).join(', ')}. Nothing was connected.`,
    )
  return all.filter((calendar) => names.some((name) => isSame(calendar, name))).map(({ id }) => id)
}

function adviceOn(problem: Problem, provider: CalendarProvider): string {
  const name = NAMES[provider]
  if (problem === 'app_refused')
    return `The business has no app at ${name}, or ${name} refuses it. An owner enters it in the settings of the desk. See docs/calendars.md.`
  if (problem === 'access_revoked')
    return `${name} did not grant access to the calendars. Run the command again, and accept all permissions.`
  return `The calendars at ${name} could not be read: ${problem}. See docs/calendars.md.`
}
