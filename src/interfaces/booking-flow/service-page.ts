import type { Plan } from '../../domain/availability/service-scheduling-plan.ts'
import { servicePublished } from '../../domain/catalog/queries.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import { isTimeSliceUsed, yieldToEventLoop } from '../../infra/util/yield-to-event-loop.ts'
import { langOf, textWithLang } from '../pages/mark-untranslated-text.ts'
import type { View } from '../pages/page-layout.ts'
import { policyItems } from '../pages/policy-and-legal-links.ts'
import { schemaOrgService } from '../structured-data/schema-org-service.ts'
import { weekStartOf } from './calendar-weeks.ts'
import { type CurrentHold, currentHoldNote, holderOf } from './current-hold.ts'
import { dayHeading, nextFreeLink } from './day-heading.ts'
import { type FreeWeeks, freeWeeks } from './find-weeks-to-show.ts'
import { calendar } from './free-days-calendar.ts'
import { allServicesLink } from './not-found-page.ts'
import { choosers } from './party-and-resource-form.ts'
import { depositText, lengthText, namesOf, placeText, priceText } from './service-description-texts.ts'
import { picture, pictureOf } from './service-picture.ts'
import type { BookDependencies } from './step-request.ts'
import { timesOfDay } from './times-of-chosen-day.ts'
import { type Choice, choosableResources } from './visitor-choices.ts'

export interface ServicePageOptions {
  localizer: Localizer
  /**
   * A note at the top of the page. The note says why the visitor sees the page again, for example because another buyer
   * booked the time.
   */
  note?: Content
  status?: number
  currentHold?: CurrentHold | undefined
}

export async function servicePage(
  plan: Plan,
  choice: Choice,
  { localizer, note, status = 200, currentHold }: ServicePageOptions,
  dependencies: BookDependencies,
): Promise<View> {
  const { service, business } = plan
  const now = dependencies.clock()
  const [weeks, published] = await Promise.all([
    freeWeeks(dependencies.db, plan, { choice, now, except: holderOf(currentHold) }, weekStartOf(localizer.locale)),
    servicePublished(dependencies.db, service.id),
  ])
  // A page with hundreds of times or people takes several milliseconds to render. Therefore the server handles other
  // requests first.
  if (isTimeSliceUsed()) await yieldToEventLoop()
  const { day } = weeks
  const times = day === undefined ? undefined : await weeks.days.get(day)?.times()
  const { name, description, instructions, usual } = namesOf(localizer, service)
  const image = pictureOf(service)
  const price = await priceText(localizer, plan, { persons: choice.persons, now })
  const facts = [price, depositText(localizer, plan), lengthText(localizer, plan), placeText(localizer, plan)].filter(
    Boolean,
  )
  const nothing = day === undefined && nothingFree(plan, choice, weeks, localizer)
  return {
    status,
    title: name,
    heading: textWithLang({ text: name, usual: usual.name }, business, localizer),
    wide: true,
    published: {
      path: `/book/${service.id}`,
      description,
      image: image?.url,
      ...(published && {
        data: {
          '@context': 'https://schema.org',
          ...schemaOrgService(published, business.business, `${dependencies.config.baseUrl}/book/${service.id}`),
        },
      }),
    },
    body: html`${note !== undefined && html`<p class="note wrong" role="alert">${note}</p>`}
<ul class="facts">${facts.map((fact) => html`<li>${fact}</li>`)}</ul>
${picture(service, 'page', image?.alt_text)}
${description !== undefined && html`<p dir="auto"${langOf({ text: description, usual: usual.description }, business, localizer)}>${description}</p>`}
${instructions !== undefined && html`<p class="soft" dir="auto"${langOf({ text: instructions, usual: usual.instructions }, business, localizer)}>${instructions}</p>`}
<div data-swapped>
${currentHold && currentHoldNote(currentHold, { plan, choice }, localizer, dependencies)}
${choosers(plan, choice, localizer)}
<div class="pick" id="pick">
<section aria-labelledby="days">${calendar(plan, { ...choice, day }, weeks, { localizer })}</section>
<section aria-labelledby="times">
${
  day === undefined
    ? nothing
    : html`${dayHeading(plan, choice, weeks, { localizer })}
${timesOfDay({ plan, choice: { ...choice, day } }, times ?? [], { localizer, now, currentHold }, dependencies)}`
}
</section>
</div>
</div>
${policies(plan, localizer)}
${allServicesLink(business, localizer)}
${day !== undefined && chooseBar(price, localizer)}`,
  }
}

/** The bar at the bottom of a phone: the price, and a link to the free times. */
export const chooseBar = (price: string, { say }: Localizer): Content =>
  html`<p class="choose-bar"><span class="price">${price}</span> <a class="button" href="#times">${say('book.choose_time')}</a></p>`

/**
 * The part of the service page that appears if the shown weeks have no free times. This part links to the next day with
 * free times, or says that no time matches the visitor's choices.
 */
function nothingFree(plan: Plan, choice: Choice, { next }: FreeWeeks, localizer: Localizer): Content {
  const { say } = localizer
  if (next !== undefined)
    return html`<h2 id="times">${say('book.none_in_weeks')}</h2><p>${nextFreeLink(plan, choice, next, { localizer })}</p>`
  const names = choice.persons.flatMap((id) => choosableResources(plan).find((one) => one.id === id)?.name ?? [])
  return html`<h2 id="times">${say('book.none')}</h2><p>${names.length > 0 ? say('book.none.with', { names: localizer.list(names) }) : say('book.none.text')}</p>`
}

function policies({ service, business }: Plan, localizer: Localizer): Content {
  const links = policyItems(service, business, localizer)
  return links.length > 0 && html`<ul class="facts" aria-label="${localizer.say('book.terms')}">${links}</ul>`
}
