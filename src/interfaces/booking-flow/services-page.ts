import type { Plan } from '../../domain/availability/service-scheduling-plan.ts'
import { listServices } from '../../domain/catalog/list-services.ts'
import { LIST_PAGE } from '../../domain/catalog/page-limits.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import { callAsVisitor, type Visit } from '../../pipeline/call-operation-from-page.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { langOf, textWithLang } from '../pages/mark-untranslated-text.ts'
import type { View } from '../pages/page-layout.ts'
import { shownPlans } from './listed-services.ts'
import { lengthText, namesOf, placeText, priceText } from './service-description-texts.ts'
import { picture } from './service-picture.ts'
import type { BookDependencies } from './step-request.ts'

export async function servicesPage(
  definition: BusinessDefinition,
  query: URLSearchParams,
  { localizer, visit }: { localizer: Localizer; visit: Visit },
  dependencies: BookDependencies,
): Promise<View> {
  const { say } = localizer
  const { business, website } = definition
  const all = shownPlans(definition)
  const words = (query.get('q') ?? '').trim().slice(0, LONGEST_WORDS)
  const category = query.get('category') ?? ''
  const found = words === '' ? all : await matching(all, words, { localizer, visit }, dependencies)
  const shown = found.filter((plan) => category === '' || namesOf(localizer, plan.service).usual.category === category)
  const now = dependencies.clock()
  const cards = await Promise.all(shown.map((plan) => serviceCard(plan, { localizer, now })))
  return {
    status: 200,
    title: say('book.title', { business: business.name }),
    wide: true,
    published: { path: '/book', description: website?.welcome ?? say('book.description', { business: business.name }) },
    body: html`${website?.welcome !== undefined && html`<p lang="${business.language ?? 'en'}" dir="auto">${website.welcome}</p>`}
${all.length > FEW && serviceSearch(say, words)}
${categoryChips(all, { category, words }, localizer)}
${shown.length === 0 && html`<p class="note" role="status">${say('book.nothing_found')}</p>`}
<ul class="services">
${cards}
</ul>`,
  }
}

/** The list of services has a search field only if the business has more services than this number. */
const FEW = 4
const LONGEST_WORDS = 200

/**
 * Searches the services of the business with the same operation that platforms use. The search tolerates spelling
 * mistakes, and also finds words in other languages.
 */
export async function matching(
  all: Plan[],
  query: string,
  { localizer, visit }: { localizer: Localizer; visit: Visit },
  dependencies: BookDependencies,
) {
  const input = { query, context: { language: localizer.language }, pagination: { limit: LIST_PAGE.most } }
  const answer = await callAsVisitor(listServices, input, visit, dependencies)
  const ids = answer.refusal ? [] : answer.result.services.map(({ id }) => id)
  return ids.flatMap((id) => all.find(({ service }) => service.id === id) ?? [])
}

export const serviceSearch = (say: Localizer['say'], words: string): Content =>
  html`<form class="search" role="search" action="/book"><input type="search" id="q" name="q" value="${words}" maxlength="${LONGEST_WORDS}" aria-label="${say('book.search')}" placeholder="${say('book.search')}">
<button class="plain">${say('book.search.do')}</button></form>`

export function categoryChips(
  all: readonly Plan[],
  { category, words }: { category: string; words: string },
  localizer: Localizer,
): Content {
  const names = new Map(
    all.flatMap(({ service, business }) => {
      const { usual, category = '' } = namesOf(localizer, service)
      return usual.category === undefined
        ? []
        : [[usual.category, textWithLang({ text: category, usual: usual.category }, business, localizer)] as const]
    }),
  )
  if (names.size < 2 || words !== '') return undefined
  const chip = (name: string, label: Content) =>
    html`<li><a href="/book${name && `?${new URLSearchParams({ category: name })}`}"${name === category && html` aria-current="true"`}>${label}</a></li>`
  return html`<nav aria-label="${localizer.say('book.categories')}"><ul class="chips">
${chip('', localizer.say('book.categories.all'))}${[...names].map(([name, label]) => chip(name, label))}
</ul></nav>`
}

interface Shown {
  localizer: Localizer
  now: Date
}

export async function serviceCard(plan: Plan, { localizer, now }: Shown): Promise<Content> {
  const { service, business } = plan
  const { name, description, usual } = namesOf(localizer, service)
  const price = await priceText(localizer, plan, { now })
  const facts = [lengthText(localizer, plan), onePlace(plan, localizer)].filter(Boolean)
  return html`<li><article class="card">
${picture(service, 'card')}<div>
<h2><a href="/book/${service.id}">${textWithLang({ text: name, usual: usual.name }, business, localizer)}</a></h2>
${description !== undefined && html`<p class="clamp soft" dir="auto"${langOf({ text: description, usual: usual.description }, business, localizer)}>${description}</p>`}
<p class="terms"><span class="price">${price}</span> <span>${facts.join(' · ')}</span></p>
</div></article></li>
`
}

/**
 * Returns the location text of a service. Returns undefined if the service has several locations, because the visitor
 * chooses one on the service page.
 */
const onePlace = (plan: Plan, localizer: Localizer) =>
  plan.locations.length > 1 ? undefined : placeText(localizer, plan)
