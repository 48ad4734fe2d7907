import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Localizer, Message } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { ownCookie } from '../pages/cookies.ts'
import { hidden } from '../pages/form-inputs.ts'
import { icon } from '../pages/icons.ts'
import { addressOfCalendar } from './hidden-day-columns.ts'

/** How much space an hour has in the calendar. The browser remembers the choice in a cookie. */
export type Density = 'roomy' | 'compact'

const YEAR_SECONDS = 365 * 24 * 60 * 60

const cookie = ownCookie('usp_desk_density')

const densityNamed = (name: string | null): Density => (name === 'compact' ? 'compact' : 'roomy')

export const readDensity = (request: FastifyRequest, { config }: Dependencies<'config'>): Density =>
  densityNamed(cookie.read(request, config))

/**
 * The button that switches the calendar to the other density. `query` is the query string of the page that opens after
 * the submission.
 */
export function densityForm(density: Density, query: string, { say }: Localizer): Content {
  const other = density === 'compact' ? 'roomy' : 'compact'
  const text = say(`desk.density.${other}` satisfies Message)
  return html`<form method="post" action="/desk/density">${hidden({ query })}<button class="plain icon-only" name="density" value="${other}" title="${text}">${icon(other)}<span class="sr">${text}</span></button></form>`
}

/** Stores the density of the calendar in a cookie, and redirects back to the page. */
export function storeDensity(
  form: URLSearchParams,
  reply: FastifyReply,
  { config }: Dependencies<'config'>,
): { to: string } {
  const density = densityNamed(form.get('density'))
  cookie.keep(reply, density, density === 'roomy' ? 0 : YEAR_SECONDS, config)
  return { to: addressOfCalendar(form) }
}
