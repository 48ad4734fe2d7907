import type { Localizer } from '../../../infra/i18n/localizer.ts'
import { type Content, html } from '../../../infra/util/html-template.ts'
import { faultSummary } from '../../pages/form-error-summary.ts'
import { type IconName, icon, iconNames } from '../../pages/icons.ts'
import { bookingHistory } from '../booking-history.ts'
import { bookingButtons, bookingFacts, bookingState } from '../booking-page.ts'
import { bookingLine } from '../bookings-page.ts'
import type { DeskRequest } from '../call-operation-as-staff.ts'
import { tagList } from '../day-entries.ts'
import { demoDataNote } from '../demo-note.ts'
import { closeButton, deskBar, menu } from '../desk-page.ts'
import { nextPageLink } from '../next-page-link.ts'
import { notificationLine } from '../notification-list.ts'
import { barChart } from '../report-charts.ts'
import { bookingsPart, overview, sourcesPart } from '../report-sections.ts'
import { payForm } from '../take-payment-form.ts'
import { takingsTables } from '../takings-page.ts'
import { heatMap } from '../utilization-heat-map.ts'
import { calendarStates } from './calendar-states.ts'
import { type ComponentGroup, state } from './component-group.ts'
import { choices, fields } from './field-states.ts'
import { STATUSES, sampleBooking, sampleNotifications, sampleRead } from './sample-booking.ts'
import { NOW, sampleBusiness, ZONE } from './sample-day.ts'
import { sampleReports, sampleTakings } from './sample-reports.ts'

/**
 * All components of the desk, each in all its states. The functions and the CSS classes are those of the real pages.
 * The browser does not send the forms (see `serve-design-pages.ts`).
 */
export async function deskComponents(deskRequest: DeskRequest): Promise<ComponentGroup[]> {
  const { localizer } = deskRequest.request
  // An owner sees all actions. The pages are the same for all staff members.
  const owner: DeskRequest = { ...deskRequest, who: { ...deskRequest.who, name: 'Jane Smith', role: 'owner' } }
  return [
    { name: 'Text', content: text(localizer) },
    { name: 'Buttons', content: buttons(owner) },
    { name: 'Fields', content: fields(localizer) },
    { name: 'Chips and choices', content: choices(localizer) },
    { name: 'Notes', content: notes(owner) },
    { name: 'Tags and badges', content: html`<p>Ruth Adeyemi${tagList(['Latex allergy', 'Regular'])}</p>` },
    { name: 'Navigation', content: navigation(owner) },
    { name: 'Calendar', content: await calendarStates(owner) },
    { name: 'Panel', content: panel(owner) },
    { name: 'Lists', content: lists(owner) },
    { name: 'Tables', content: takingsTables(sampleTakings, localizer) },
    { name: 'Charts', content: charts(localizer) },
    { name: 'Icons', content: html`<ul class="icon-list">${iconNames.map(iconWithName)}</ul>` },
  ]
}

const text = ({
  say,
}: Localizer): Content => html`<p>${say('desk.may_not.manager')} <strong>${say('desk.today')}</strong> <a href="/desk">${say('desk.today')}</a></p>
<p class="soft">${say('desk.away.class')}</p>
<h3>${say('desk.upcoming')}</h3>
<p class="hint">${say('desk.away.class')}</p>
<p class="text">${say('desk.demo.text')}</p>`

function buttons({ request: { localizer } }: DeskRequest): Content {
  const { say } = localizer
  return html`${state(
    'Primary, secondary, danger, disabled',
    html`<div class="acts"><button type="button">${say('desk.start')}</button>
<button type="button" class="plain">${say('desk.move')}</button>
<button type="button" class="danger">${say('desk.cancel')}</button>
<button type="button" disabled>${say('desk.start')}</button>
<button type="button" class="plain" disabled>${say('desk.move')}</button></div>`,
  )}${state(
    'Links that look like buttons, with an icon, without a frame',
    html`<div class="acts"><a class="button" href="/desk/book">${icon('add')}${say('desk.book')}</a>
<a class="button plain" href="/desk">${say('desk.today')}</a>
<button type="button" class="quiet">${say('account.sign_out')}</button></div>`,
  )}`
}

function notes({ who, request: { localizer } }: DeskRequest): Content {
  const { say } = localizer
  const label = say('book.field.email')
  return html`${state('Information', html`<p class="note">${say('desk.upcoming.none')}</p>`)}
${state('Empty', html`<p class="note">${say('desk.day.empty')}</p><p class="note">${say('desk.no_times')}</p>`)}
${state('Refusal', html`<p class="note wrong" role="alert">${say('failure.refused.text')}</p>`)}
${state(
  'Summary of errors',
  faultSummary(say('setup.look_again', { count: 1 }), [{ id: 'refused-email', label, fault: say('book.fault.email') }]),
)}
${state('One line, which opens', demoDataNote(who, localizer))}
${state(
  'Above a paragraph and a form',
  html`<div class="note">${say('desk.none')}</div><p>${say('desk.away.class')}</p><div class="note">${say('desk.none')}</div><form><button type="button">${say('desk.start')}</button></form>`,
)}`
}

function navigation({ who, request: { localizer } }: DeskRequest): Content {
  const { services, business } = sampleBusiness()
  const { say } = localizer
  const bar = (nth: number, place: 'today' | 'money', waiting: number, role = who.role) => {
    const label = `${say('desk.menu')} ${nth}`
    const nav = menu({ who: { ...who, role }, place, waiting, label }, services, localizer)
    return html`<div class="bar-sample">${deskBar(business.name, nav)}</div>`
  }
  return html`${state('Nothing waits', bar(1, 'today', 0))}
${state('A page of the menu, many items wait', bar(2, 'money', 120))}
${state('A viewer', bar(3, 'today', 3, 'viewer'))}
${state('The next page of a list', nextPageLink('/desk/bookings', new URLSearchParams(), { has_more: true, cursor: 'example' }, localizer))}`
}

function panel(owner: DeskRequest): Content {
  const { localizer } = owner.request
  const read = sampleRead()
  const shown = { localizer, zone: ZONE, now: NOW }
  return html`<div class="panel-sample"><div class="panel" role="group" aria-label="Ruth Adeyemi" tabindex="0">${closeButton(localizer)}<h3>Ruth Adeyemi</h3>
${bookingState(read, shown)}
${bookingButtons(read, owner, payForm(read, owner), NOW)}
${bookingFacts(read, localizer, ZONE)}
${bookingHistory(read.changes, { zone: ZONE, currency: 'USD', localizer })}</div></div>`
}

function lists(owner: DeskRequest): Content {
  const { localizer } = owner.request
  const shown = { localizer, zone: ZONE, now: NOW }
  return html`${state('Bookings', html`<ul class="steps bookings">${STATUSES.map((status) => bookingLine(sampleBooking(status), shown))}</ul>`)}
${state('Names and values', bookingFacts(sampleRead(), localizer, ZONE))}
${state('Notifications', html`<ul class="story">${sampleNotifications.map((one) => notificationLine(one, 'example', ZONE, owner))}</ul>`)}`
}

function charts(localizer: Localizer): Content {
  return html`${overview(sampleReports, localizer)}
${bookingsPart(sampleReports, localizer)}
${sourcesPart(sampleReports, localizer)}
${heatMap(sampleReports, localizer)}
${state('Without numbers', barChart(localizer.say('desk.money'), [0, 0, 0], [0, 0, 0]))}`
}

const iconWithName = (name: IconName): Content => html`<li lang="en">${icon(name)}${name}</li>
`
