import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ClaimHolder } from '../../core/ledger/resource-claims.ts'
import type { AvailableTime } from '../../domain/availability/available-times.ts'
import { type HoldRow, holdFind } from '../../domain/availability/hold-queries.ts'
import type { Plan } from '../../domain/availability/service-scheduling-plan.ts'
import { readSlotId } from '../../domain/availability/time-slot-response.ts'
import { shortMomentText } from '../../infra/i18n/format-times.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { MINUTE, SECOND } from '../../infra/time/time-units.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import { visitPrincipal } from '../../pipeline/page-visitor.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { cookieOf, framedCookieAttributes } from '../pages/cookies.ts'
import { slotIdOf } from './chosen-time.ts'
import { type Choice, type HoldReference, queryOf, type ServiceChoice } from './visitor-choices.ts'

/** The active hold (a reserved slot) of a visitor who goes back to choose another time. */
export interface CurrentHold extends HoldReference {
  row: HoldRow
}

const COOKIE = 'usp_kept'

/**
 * Stores the visitor's hold (a reserved slot) in a cookie. If the visitor presses the back button, the URL does not
 * contain the hold. The server then reads the cookie.
 */
export function setHoldCookie(
  reply: FastifyReply,
  { config, clock }: Dependencies<'config' | 'clock'>,
  { hold, visit, until, path }: HoldReference & { until: Date; path: string },
) {
  const seconds = Math.floor((until.getTime() - clock().getTime()) / SECOND)
  reply.header(
    'set-cookie',
    `${COOKIE}=${hold}.${visit}; Path=${path}; Max-Age=${seconds}; ${framedCookieAttributes(config.baseUrl)}`,
  )
}

export function holdInCookie(request: Pick<FastifyRequest, 'headers'>): HoldReference | undefined {
  const [hold, visit] = cookieOf(request, COOKIE).split('.')
  return hold && visit ? { hold, visit } : undefined
}

/**
 * Finds the active hold (reserved slot) of a visitor. Returns undefined if the hold has ended, or if the visitor's
 * secret does not match.
 */
export async function findCurrentHold(
  plan: Plan,
  name: HoldReference | undefined,
  { db, clock }: Dependencies<'db' | 'clock'>,
): Promise<CurrentHold | undefined> {
  if (!name) return undefined
  const row = await holdFind(db, name.hold, visitPrincipal(name.visit))
  return row && row.service_id === plan.service.id && isActive(row, clock()) ? { ...name, row } : undefined
}

/**
 * Returns the visitor's own hold (a reserved slot). A search ignores this hold, because it must not block times for the
 * same visitor.
 */
export const holderOf = (currentHold: CurrentHold | undefined): ClaimHolder | undefined =>
  currentHold && { kind: 'hold', id: currentHold.hold }

export const isActive = ({ status, expires_at }: HoldRow, now: Date): boolean => status === 'active' && expires_at > now

export function detailsAddress(plan: Plan, choice: Choice, { hold, visit }: HoldReference): string {
  const query = queryOf(plan, { ...choice, currentHold: undefined })
  query.set('hold', hold)
  query.set('visit', visit)
  return `/book/${plan.service.id}/details?${query}`
}

/** Whether the visitor's hold (reserved slot) is for one of the given times, with the same number of people. */
export const isHeldTime = (
  { row }: CurrentHold,
  { plan, choice: { party } }: ServiceChoice,
  times: readonly AvailableTime[],
  { tag }: Dependencies<'tag'>,
): boolean => row.spots === party && times.some((time) => slotIdOf(time, plan, tag) === row.slot_id)

export function currentHoldNote(
  currentHold: CurrentHold,
  { plan, choice }: ServiceChoice,
  localizer: Localizer,
  { tag, clock }: Dependencies<'tag' | 'clock'>,
): Content {
  const { start } = readSlotId(tag, currentHold.row.slot_id) ?? {}
  if (start === undefined) return undefined
  const time = shortMomentText(localizer, new Date(start), plan.zone)
  return html`<p class="note">${localizer.say('book.yours.note', { time, left: leftText(currentHold, localizer, clock()) })} <a class="way" href="${detailsAddress(plan, choice, currentHold)}" rel="nofollow">${localizer.say('book.yours.go_on')}</a></p>`
}

export const leftText = ({ row }: CurrentHold, localizer: Localizer, now: Date): string =>
  localizer.length(Math.ceil((row.expires_at.getTime() - now.getTime()) / MINUTE) * MINUTE)
