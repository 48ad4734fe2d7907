import type { AvailableTime } from '../../../domain/availability/available-times.ts'
import { type Plan, planOf } from '../../../domain/availability/service-scheduling-plan.ts'
import type { Localizer } from '../../../infra/i18n/localizer.ts'
import { HOUR } from '../../../infra/time/time-units.ts'
import { daysLater } from '../../../infra/time/time-zone.ts'
import { type Content, html } from '../../../infra/util/html-template.ts'
import { blank } from '../../booking-flow/buyer-form.ts'
import { addressFields, detailsSummary, notesField, personFields } from '../../booking-flow/buyer-form-fields.ts'
import { calendar } from '../../booking-flow/free-days-calendar.ts'
import { shownPlans } from '../../booking-flow/listed-services.ts'
import { choosers } from '../../booking-flow/party-and-resource-form.ts'
import { chooseBar } from '../../booking-flow/service-page.ts'
import { categoryChips, serviceCard, serviceSearch } from '../../booking-flow/services-page.ts'
import { timesOfDay } from '../../booking-flow/times-of-chosen-day.ts'
import { choiceOf } from '../../booking-flow/visitor-choices.ts'
import { slotSummary } from '../../pages/slot-summary.ts'
import type { DeskDependencies } from '../call-operation-as-staff.ts'
import { type ComponentGroup, state } from './component-group.ts'
import { at, DATE, NOW, sampleBusiness } from './sample-day.ts'

/** All components of the pages for buyers, each in all its states, with the functions of the real pages. */
export async function buyerComponents(localizer: Localizer, dependencies: DeskDependencies): Promise<ComponentGroup[]> {
  const definition = sampleBusiness()
  const [haircut, yoga] = ['svc_haircut', 'svc_yoga'].map((id) => planOf(definition, id))
  if (!haircut || !yoga) throw new Error('The demo salon lacks a service of the examples.')
  return [
    { name: 'Text', content: text(localizer) },
    { name: 'Buttons', content: buttons(localizer) },
    { name: 'Fields', content: fields(haircut, localizer) },
    { name: 'Notes', content: notes(localizer) },
    { name: 'Services', content: await services(localizer) },
    { name: 'Choice of a time', content: choiceOfTime([haircut, yoga], localizer, dependencies) },
    { name: 'Summary', content: summary(haircut, localizer) },
  ]
}

const text = ({
  say,
}: Localizer): Content => html`<p>${say('booking.moved')} <strong>${say('my.title')}</strong> <a href="/my">${say('my.title')}</a></p>
<p class="soft">${say('book.terms.at_service')}</p>
<ul class="facts"><li>${say('book.terms.at_service')}</li><li><a href="/my">${say('my.title')}</a></li></ul>`

const buttons = ({ say }: Localizer): Content => html`<button type="button">${say('book.confirm')}</button>
<button type="button" disabled>${say('book.confirm')}</button>
<div class="done"><a class="button plain" href="/my">${say('booking.move')}</a><a class="button danger" href="/my">${say('booking.cancel')}</a></div>
<p><button type="button" class="quiet">${say('account.sign_out')}</button></p>`

/** The id of a field is its name, so only one form of the page has the fields of a person. */
function fields(plan: Plan, localizer: Localizer): Content {
  const empty = blank('US')
  const refused = {
    values: { ...empty.values, first_name: 'Ruth', email: 'ruth' },
    faults: new Map([
      ['email', 'email'],
      ['last_name', 'missing'],
    ] as const),
  }
  return html`${detailsSummary(refused, localizer)}
${personFields(refused, localizer, { phone: false })}
${addressFields(empty, localizer)}
${notesField(empty, localizer)}
${state('The choices of a service', choosers(plan, choiceOf(plan, new URLSearchParams()), localizer))}`
}

const notes = ({ say }: Localizer): Content => html`<p class="note">${say('my.nothing_ahead')}</p>
<p class="note" role="status">${say('book.nothing_found')}</p>
<p class="note wrong" role="alert">${say('failure.refused.text')}</p>`

async function services(localizer: Localizer): Promise<Content> {
  const plans = shownPlans(sampleBusiness())
  const shown = { localizer, now: NOW }
  const withPicture = plans.filter(({ service }) => service.media)
  const withoutPicture = plans.filter(({ service }) => !service.media)
  const [name = ''] = withPicture.flatMap(({ service }) => service.categories?.[0]?.name ?? [])
  const cards = await Promise.all(
    [...withPicture.slice(0, 1), ...withoutPicture.slice(0, 2)].map((plan) => serviceCard(plan, shown)),
  )
  return html`${serviceSearch(localizer.say, '')}
${categoryChips(plans, { category: name, words: '' }, localizer)}
<ul class="services">
${cards}
</ul>`
}

function choiceOfTime([haircut, yoga]: [Plan, Plan], localizer: Localizer, dependencies: DeskDependencies): Content {
  const choice = { ...choiceOf(haircut, new URLSearchParams()), day: DATE }
  const times = async () => []
  const days = new Map([0, 1, 2, 6, 7, 8].map((nth) => [daysLater(DATE, nth), { isFree: nth % 3 !== 2, times }]))
  const weeks = { from: daysLater(DATE, -2), count: 21, days, day: DATE, hasEarlier: false, hasLater: true }
  const time = (clock: string, remaining?: number): AvailableTime => {
    const start = new Date(at(clock)).getTime()
    return {
      start,
      end: start + HOUR,
      location: 'loc_downtown',
      picks: [],
      ...(remaining !== undefined && { capacity: { total: 8, remaining, held: 0 } }),
    }
  }
  const shown = { localizer, now: NOW, currentHold: undefined }
  return html`<div class="pick"><section aria-labelledby="days">${calendar(haircut, choice, weeks, { localizer, path: '/desk/design/buyers' })}</section>
<section aria-labelledby="times"><h2 id="times">${localizer.day(DATE)}</h2>
${timesOfDay(
  { plan: haircut, choice },
  ['09:00', '09:30', '10:00', '13:00', '17:30'].map((clock) => time(clock)),
  shown,
  dependencies,
)}
${timesOfDay({ plan: yoga, choice }, [time('09:00', 0), time('18:00', 3)], shown, dependencies)}</section></div>
${chooseBar(localizer.money(7500, 'USD'), localizer)}`
}

function summary(plan: Plan, localizer: Localizer): Content {
  const start = new Date(at('13:00')).getTime()
  const time = { start, end: start + HOUR, location: 'loc_downtown', picks: ['staff_jane'] }
  return slotSummary({ id: 'example', plan, time }, { party: 1 }, localizer)
}
