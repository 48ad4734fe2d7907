import type { FastifyReply } from 'fastify'
import type { SignedInStaff } from '../../core/authentication/staff-sessions.ts'
import { listConnectedCalendars } from '../../domain/busy-times/list-connected-calendars.ts'
import { book } from '../../domain/desk/bookings/create-booking.ts'
import { readInbox } from '../../domain/desk/inbox/read-inbox.ts'
import { readTakings } from '../../domain/desk/money/get-takings.ts'
import { readReports } from '../../domain/desk/reports/read-reports.ts'
import { applyDefinition } from '../../domain/desk/setup/apply-definition.ts'
import { readStaff } from '../../domain/desk/staff/list-staff.ts'
import type { Localizer, Message } from '../../infra/i18n/localizer.ts'
import { type Content, type Html, html } from '../../infra/util/html-template.ts'
import type { Operation } from '../../protocol/define-operation.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { BusinessDefinition, ServiceDefinition } from '../../protocol/types.generated.ts'
import { compressedPage } from '../http/compression.ts'
import { localizerOfPage } from '../pages/choose-page-language.ts'
import { FONT_LINK } from '../pages/font-link.ts'
import { type IconName, icon } from '../pages/icons.ts'
import { ICON_LINK } from '../pages/site-icon.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest, isAllowed } from './call-operation-as-staff.ts'
import { withTokens } from './desk-form-tokens.ts'
import { MANIFEST_LINK } from './installable-app.ts'

export interface DeskView {
  status: number
  title: string
  body: Html
  /** The staff member who is signed in. Undefined on pages before the sign-in. */
  who?: SignedInStaff
  place?: Place
  /**
   * The layout, if the page is not a narrow column. A calendar fills the window, and its toolbar has the heading of the
   * page.
   */
  layout?: 'wide' | 'calendar'
}

/**
 * The answer to a request for a page of the desk (the staff pages): a page or a redirect. If the answer is undefined,
 * the server answers "not found".
 */
export type Answer = DeskView | { to: string } | undefined

/**
 * An item of the desk menu. The menu shows the item only if the staff member's role allows the operation `requires`. If
 * the item has a function `isFor`, this function must also accept the services of the business.
 */
interface MenuPlace {
  path: string
  requires?: Operation
  isFor?(services: readonly ServiceDefinition[]): boolean
  /** The icon of an item at the top level of the menu. Items without an icon are in the submenu "more". */
  icon?: IconName
  /** A shorter name for the bar of a phone, in which five items share the width. */
  nameOnPhone?: Message
  /** Whether a phone shows the item in the submenu. The bar of a phone has space for five items. */
  isInSubmenuOnPhone?: true
}

const PLACES = {
  today: { path: '/desk', icon: 'today' },
  book: { path: '/desk/book', requires: book, icon: 'book', nameOnPhone: 'desk.book.short' },
  inbox: { path: '/desk/inbox', icon: 'inbox' },
  bookings: { path: '/desk/bookings', icon: 'bookings', isInSubmenuOnPhone: true },
  customers: { path: '/desk/customers', icon: 'customers' },
  classes: { path: '/desk/classes', isFor: (services) => services.some(({ type }) => type === 'group') },
  waitlist: { path: '/desk/waitlist', isFor: (services) => services.some(({ capacity }) => capacity?.waitlist) },
  blocks: { path: '/desk/blocks' },
  calendars: { path: '/desk/calendars', requires: listConnectedCalendars },
  money: { path: '/desk/money', requires: readTakings },
  setup: { path: '/desk/setup', requires: applyDefinition },
  reports: { path: '/desk/reports', requires: readReports },
  people: { path: '/desk/people', requires: readStaff },
  devices: { path: '/desk/devices' },
} satisfies Record<string, MenuPlace>
type Place = keyof typeof PLACES

export const DESK_STYLE = '/desk/desk.css'
/**
 * The URLs of the browser scripts. The page loads the first script, which imports the others. The page also preloads
 * the other scripts, so that the browser fetches all scripts in parallel.
 */
export const DESK_SCRIPTS = [
  '/desk/desk.js',
  '/desk/drag.js',
  '/desk/language-tabs.js',
  '/desk/notify.js',
  '/desk/page-content.js',
  '/desk/panel.js',
  '/desk/passkey.js',
  '/desk/picture.js',
  '/desk/push.js',
] as const

/**
 * The response headers of desk pages. The browser may load only scripts and styles of this server. Other websites
 * cannot show the desk in a frame.
 */
const headers = {
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    "img-src 'self' https: data:",
    "font-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'content-type': 'text/html; charset=utf-8',
}

export interface PageState {
  /** The number of open items in the desk inbox. The menu shows this number. */
  waiting: number
  /**
   * The id of the newest change when the server began to read the data of the page. The live stream (server-sent
   * events) reports all later changes to the browser.
   */
  newest: string
}

/**
 * Sends a desk page or a redirect. If the caller does not pass the number of open inbox items, the function counts
 * them.
 */
export async function sendDesk(
  reply: FastifyReply,
  answer: DeskView | { to: string },
  dependencies: DeskDependencies,
  now?: PageState,
): Promise<never> {
  if ('to' in answer) return reply.redirect(answer.to, 303)
  const definition = await dependencies.business.get().catch(() => undefined)
  const { request } = reply
  const waiting = answer.who ? (now?.waiting ?? (await countInbox({ who: answer.who, request }, dependencies))) : 0
  const page = deskPage({ ...answer, waiting, newest: now?.newest }, localizerOfPage(request), definition)
  const shown = await compressedPage(answer.who ? withTokens(page, answer.who, dependencies) : page, reply)
  return reply.code(answer.status).headers(headers).send(shown)
}

/**
 * Returns the number of open inbox items. Returns 0 if the server refuses the call, for example because of a rate
 * limit. The page must appear even then, because the action of a submitted form is already done.
 */
export async function countInbox(deskRequest: DeskRequest, dependencies: DeskDependencies): Promise<number> {
  const answer = await callAsStaff(readInbox, {}, deskRequest, dependencies).catch((error: unknown) => {
    if (!(error instanceof ProtocolError)) throw error
  })
  return answer && !answer.refusal ? answer.result.inbox.total : 0
}

/** The highest number of inbox items that the page shows exactly. A higher number appears as "99+". */
const MAX_SHOWN_COUNT = 99

const countText = (waiting: number): string => (waiting > MAX_SHOWN_COUNT ? `${MAX_SHOWN_COUNT}+` : String(waiting))

function deskPage(
  view: DeskView & { waiting: number; newest: string | undefined },
  localizer: Localizer,
  definition: BusinessDefinition | undefined,
): string {
  const { say } = localizer
  const name = definition?.business.name ?? say('desk.title')
  return html`<!doctype html>
<html lang="${localizer.locale}"${localizer.direction === 'rtl' && html` dir="rtl"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${view.waiting > 0 && `(${countText(view.waiting)}) `}${view.title} – ${name}</title>
<meta name="robots" content="noindex">
${ICON_LINK}
${MANIFEST_LINK}
${FONT_LINK}
<link rel="stylesheet" href="${DESK_STYLE}">
<script type="module" src="${DESK_SCRIPTS[0]}"></script>
${DESK_SCRIPTS.slice(1).map(
  (script) => html`<link rel="modulepreload" href="${script}">
`,
)}</head>
<body${view.newest !== undefined && html` data-newest="${view.newest}"`}${view.who?.pushLocale !== undefined && html` data-pushed`}>
<a class="skip" href="#main">${say('page.skip')}</a>
${deskBar(name, view.who && menu({ ...view, who: view.who }, definition?.services ?? [], localizer))}
<main id="main"${view.layout && html` class="${view.layout}"`}>
${view.layout !== 'calendar' && html`<h1>${view.title}</h1>`}
${view.body}
</main>
${view.layout === 'calendar' && html`<template data-close>${closeButton(localizer)}</template>`}
</body>
</html>
`.text
}

/** The bar at the top of each desk page. */
export const deskBar = (name: string, nav: Content): Content =>
  html`<header class="desk"><p class="brand"><a href="/desk">${name}</a></p>${nav}</header>`

/** The button that closes the panel beside the calendar. A browser script puts it into the panel. */
export const closeButton = ({ say }: Localizer): Content =>
  html`<button type="button" class="plain close">${icon('close')}<span class="sr">${say('desk.panel.close')}</span></button>`

const withIcon = (name: IconName | undefined, text: Content): Content =>
  name ? html`${icon(name)}<span>${text}</span>` : text

interface Placed {
  who: SignedInStaff
  place?: Place
  waiting: number
  /** The accessible name of the menu. */
  label?: string
}

export function menu(
  { who, place, waiting, label }: Placed,
  services: readonly ServiceDefinition[],
  { say }: Localizer,
): Content {
  const places = Object.entries<MenuPlace>(PLACES).filter(
    ([, { requires, isFor }]) => (!requires || isAllowed(who, requires)) && (!isFor || isFor(services)),
  )
  const nameOf = (one: string, onPhone: Message | undefined): Content => {
    const text = say(`desk.${one}` as Message)
    return onPhone ? html`<span class="wide-only">${text}</span><span class="phone-only">${say(onPhone)}</span>` : text
  }
  const count = html` <span data-inbox="${waiting}"${waiting > 0 && html` class="count"`}>${waiting > 0 && countText(waiting)}</span>`
  const links = (shownPlaces: typeof places, width?: 'phone-only') =>
    shownPlaces.map(
      ([one, { path, icon: name, nameOnPhone, isInSubmenuOnPhone }]) =>
        html`<li${(width || isInSubmenuOnPhone) && html` class="${width ?? 'wide-only'}"`}><a href="${path}"${one === place && html` aria-current="page"`}>${withIcon(name, nameOf(one, nameOnPhone))}${one === 'inbox' && count}</a></li>
`,
    )
  const leave = html`<form method="post" action="/desk/leave"><button class="plain">${say('desk.leave', { name: who.name })}</button></form>`
  const [top, rest] = [places.filter((one) => one[1].icon), places.filter((one) => !one[1].icon)]
  const submenuOnPhone = top.filter((one) => one[1].isInSubmenuOnPhone)
  return html`<nav aria-label="${label ?? say('desk.menu')}"><ul>
${links(top)}<li><details><summary${rest.some(([one]) => one === place) && html` class="here"`}>${icon('more')}<span>${say('desk.menu.more')}</span></summary><div class="menu"><ul>${links(submenuOnPhone, 'phone-only')}${links(rest)}</ul>${leave}</div></details></li></ul></nav>`
}
