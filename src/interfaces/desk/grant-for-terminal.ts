import type { FastifyRequest } from 'fastify'
import { seal } from '../../core/keys/encrypt-secrets.ts'
import { grantAnswer, isForTerminal } from '../../core/tokens/grants-for-terminal.ts'
import type { CalendarProvider } from '../../infra/config/calendar-providers.ts'
import { html } from '../../infra/util/html-template.ts'
import { queryOf } from '../pages/page-route-setup.ts'
import type { DeskDependencies } from './call-operation-as-staff.ts'
import type { DeskView } from './desk-page.ts'

const MAX_CODE_CHARACTERS = 2_000

/**
 * If a provider sends the browser back for the command `usp calendars connect`, passes the answer to this command. The
 * person who grants access need not be signed in at the desk: the secret state proves that an operator has asked.
 */
export async function grantForTerminal(
  provider: CalendarProvider,
  request: FastifyRequest,
  { db, clock, calendarKey }: DeskDependencies,
): Promise<DeskView | undefined> {
  const query = queryOf(request)
  const [state, code] = [query.get('state') ?? '', query.get('code') ?? '']
  if (!isForTerminal(state)) return undefined
  const isGranted = code !== '' && code.length <= MAX_CODE_CHARACTERS
  const answer = isGranted ? { code: seal(calendarKey, code).toString('base64url') } : { isRefused: true as const }
  const isPassedOn = await grantAnswer(db, { state, provider }, answer, clock())
  const { say } = request.localizer
  return {
    status: isPassedOn && isGranted ? 200 : 409,
    title: say(`desk.calendars.${provider}`),
    body: html`<p>${say(isPassedOn && isGranted ? 'desk.calendars.granted' : `desk.calendars.${provider}.denied`)}</p>`,
  }
}
