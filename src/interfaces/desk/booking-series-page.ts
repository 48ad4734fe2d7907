import { zoneOf } from '../../core/business/definition-facts.ts'
import { fullName, guestOf } from '../../domain/bookings/people-of-booking.ts'
import { bookSeries } from '../../domain/desk/bookings/book-series.ts'
import { cancelSeries } from '../../domain/desk/bookings/cancel-series.ts'
import { planSeries } from '../../domain/desk/bookings/check-series-times.ts'
import { readBooking } from '../../domain/desk/bookings/read-booking.ts'
import { momentText } from '../../infra/i18n/format-times.ts'
import { html } from '../../infra/util/html-template.ts'
import type { PlanSeries } from '../../protocol/types.generated.ts'
import { refusalText } from '../pages/refusal-texts.ts'
import {
  callAsStaff,
  type DeskDependencies,
  type DeskRequest,
  isAllowed,
  missingRolePage,
} from './call-operation-as-staff.ts'
import type { Answer, DeskView } from './desk-page.ts'

const MAX = { weeks: 52, times: 52 }
const DEFAULTS = { weeks: 1, times: 6 }

/**
 * Shows the page where staff plan a series of bookings. The page lists all dates of the series, and marks the dates
 * that are not available.
 */
export async function seriesPage(
  id: string,
  { query, problem }: { query: URLSearchParams; problem?: string },
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<DeskView | undefined> {
  const { localizer } = deskRequest.request
  const { say } = localizer
  if (!isAllowed(deskRequest.who, bookSeries)) return missingRolePage(bookSeries, deskRequest)
  const answer = await callAsStaff(readBooking, { booking_id: id }, deskRequest, dependencies)
  if (answer.refusal) return undefined
  const { booking, details } = answer.result
  const zone = await zoneOf(dependencies)
  const numberField = (name: keyof typeof MAX) => {
    const number = Math.trunc(Number(query.get(name)))
    return number >= 1 && number <= MAX[name] ? number : DEFAULTS[name]
  }
  const [weeks, times] = [numberField('weeks'), numberField('times')]
  const plan = await callAsStaff(planSeries, { booking_id: id, every_weeks: weeks, times }, deskRequest, dependencies)
  const dates = plan.refusal ? [] : plan.result.dates
  const line = ({ start, works, why }: PlanSeries['output']['dates'][number]) =>
    html`<label class="tick"><input type="checkbox" name="start" value="${start}"${works ? html` checked` : html` disabled`}> <span>${momentText(localizer, new Date(start), zone)}${!works && html` <span class="soft" title="${why}">· ${say('desk.series.not')}</span>`}</label>
`
  const field = (name: keyof typeof MAX, value: number) =>
    html`<div><label for="${name}">${say(`desk.series.${name}`)}</label><input id="${name}" type="number" name="${name}" min="1" max="${MAX[name]}" value="${value}" required></div>
`
  return {
    status: problem === undefined ? 200 : 409,
    title: say('desk.series'),
    who: deskRequest.who,
    body: html`${problem !== undefined && html`<p class="note wrong" role="alert">${problem}</p>`}
<p><a href="/desk/bookings/${id}">${fullName(guestOf(booking))}</a> · ${booking.service_name} · ${momentText(localizer, new Date(booking.slot.start), zone)}</p>
<form method="get" class="inline">${field('weeks', weeks)}${field('times', times)}<button class="plain">${say('desk.day.show')}</button></form>
<form method="post" class="series">${dates.map(line)}<button${dates.every(({ works }) => !works) && html` disabled`}>${say('desk.series.do')}</button></form>
${details.series !== undefined && isAllowed(deskRequest.who, cancelSeries) && html`<details><summary>${say('desk.series.cancel')}</summary><form method="post"><label>${say('desk.word.reason')} <input name="word" maxlength="2000"></label><button class="danger" name="do" value="cancel">${say('desk.series.cancel')}</button></form></details>`}`,
  }
}

/**
 * Books the chosen dates of a series. If staff pressed "cancel", cancels the booking and all later bookings of its
 * series instead.
 */
export async function submitSeries(
  id: string,
  form: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Answer> {
  const { localizer, url } = deskRequest.request
  const isCanceled = form.get('do') === 'cancel'
  if (!isAllowed(deskRequest.who, isCanceled ? cancelSeries : bookSeries))
    return missingRolePage(isCanceled ? cancelSeries : bookSeries, deskRequest)
  const reason = form.get('word')?.trim() ?? ''
  const starts = [...new Set(form.getAll('start'))]
  const answer = isCanceled
    ? await callAsStaff(cancelSeries, { booking_id: id, ...(reason !== '' && { reason }) }, deskRequest, dependencies)
    : await callAsStaff(bookSeries, { booking_id: id, starts }, deskRequest, dependencies)
  if (!answer.refusal) return { to: `/desk/bookings/${encodeURIComponent(id)}` }
  const query = new URLSearchParams(url.split('?', 2)[1])
  return seriesPage(
    id,
    { query, problem: refusalText(answer.refusal.code, localizer, 'desk.refused') },
    deskRequest,
    dependencies,
  )
}
