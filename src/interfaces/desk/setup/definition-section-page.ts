import { requiresNoPerson } from '../../../core/business/definition-facts.ts'
import { type OfferedLanguages, offeredLanguages } from '../../../domain/definition/offered-languages.ts'
import { TRANSLATED_LISTS, translatableTexts } from '../../../domain/definition/translatable-texts.ts'
import type { Localizer } from '../../../infra/i18n/localizer.ts'
import { type Content, html } from '../../../infra/util/html-template.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import type { BusinessDefinition } from '../../../protocol/types.generated.ts'
import { formOf } from '../../pages/page-route-setup.ts'
import type { DeskDependencies, DeskRequest } from '../call-operation-as-staff.ts'
import type { Answer, DeskView } from '../desk-page.ts'
import { type CurrentDefinition, findCurrentDefinition } from './current-definition.ts'
import { MAX_FIELDS, TooManyFieldsError } from './definition-form-input.ts'
import { formParts, pathsIn } from './definition-form-parts.ts'
import { formPath } from './definition-path-text.ts'
import { formOfSection, isList, itemsIn, NEW, type Section, valueIn, withValue } from './definition-sections.ts'
import { labelOf } from './field-labels.ts'
import { withChosenLanguages, withOfferedLanguages } from './language-settings.ts'
import { pictureLink } from './pictured-object.ts'
import { byName, editRows, MAX_FREE_CHARACTERS, readMembers, withId } from './read-definition-form.ts'
import { type DefinitionRefusal, proposeDefinition } from './review-change-page.ts'

export async function sectionPage(
  section: Section,
  id: string,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<DeskView | undefined> {
  const now = await findCurrentDefinition(deskRequest, dependencies)
  if (isList(section) && id === '')
    return listPage(section, now, deskRequest, (await dependencies.business.get()) ?? { services: [] })
  const value = valueIn(now.definition, section, id)
  if (!value) return undefined
  const languages = await offeredLanguages(now.definition)
  const shown = withOfferedLanguages(section, value, languages)
  return formPage({ section, id, value: shown, version: String(now.version), languages }, now, deskRequest)
}

/**
 * Runs the action of the pressed button in a settings form. The buttons add or remove a list row, show a review, return
 * to the form, apply the change, or remove the edited entry.
 */
export async function submitSection(
  section: Section,
  id: string,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Answer> {
  const form = formOf(deskRequest.request)
  const now = await findCurrentDefinition(deskRequest, dependencies)
  const before = valueIn(now.definition, section, id)
  if (!before) return undefined
  const editedList = editRows(form)
  const version = form.get('version') ?? ''
  const languages = await offeredLanguages(now.definition)
  const read = {
    languages: languages.others,
    form: byName(form),
    currency: currencyOf(now, form),
    locale: deskRequest.request.localizer.locale,
    free: { left: MAX_FREE_CHARACTERS },
  }
  const value = readMembers(formOfSection(section).schema, { path: '', before, isNeeded: true }, read) ?? {}
  const shown = { section, id, value, version, editedList, languages }
  const what = form.get('do') ?? ''
  if (what === 'edit' || what.includes(':')) return formPage(shown, now, deskRequest)
  const isGone = form.get('gone') === 'true' || what === 'gone'
  if (isGone) form.set('gone', 'true')
  const item = isList(section)
    ? withId(kindOfItem(section, value), asRecord(value), itemsIn(now.definition, section))
    : value
  const { definition: proposed, consequences } = await withChosenLanguages(
    withValue(now.definition, section, id, isGone ? undefined : item),
    { section, before: now.definition, offered: languages, localizer: deskRequest.request.localizer },
  )
  const proposal = {
    definition: JSON.stringify(proposed),
    form,
    title: titleOf(section, value, deskRequest),
    to: `/desk/setup/${section}`,
    consequences,
    ...(section === 'services' && id === NEW && { added: { id: String(asRecord(item).id), definition: proposed } }),
  }
  const answer = await proposeDefinition(proposal, deskRequest, dependencies)
  if (!('refusal' in answer)) return answer
  const start = isList(section) ? `${section}[${String(asRecord(item).id)}]` : ''
  return formPage({ ...shown, refusal: { ...answer.refusal, start } }, now, deskRequest)
}

/**
 * Returns the kind of a new list entry, which determines how the id of the entry begins. For a person, room or item,
 * the kind is the type, such as `staff`.
 */
const kindOfItem = (section: string, value: object) =>
  section === 'resources' ? String(asRecord(value).type ?? section) : section

/**
 * Returns the currency of the amounts in a settings form. If the form contains no valid currency, returns the currency
 * of the business.
 */
const currencyOf = ({ definition }: CurrentDefinition, form?: URLSearchParams): string => {
  const currency = form?.get('pricing.currency') ?? form?.get('business.currency') ?? ''
  return /^[A-Z]{3}$/.test(currency) ? currency : String(asRecord(asRecord(definition).business).currency)
}

const textsOfSection = (section: Section, value: object) => {
  const list = TRANSLATED_LISTS.find((one) => one === section)
  return list ? translatableTexts(list, value) : []
}

const titleOf = (section: Section, value: object, { request: { localizer } }: DeskRequest): string => {
  const { name } = asRecord(value)
  return isList(section) && typeof name === 'string' ? name : labelOf(section, localizer)
}

interface Shown {
  section: Section
  id: string
  value: object
  version: string
  editedList?: string | undefined
  languages: OfferedLanguages
  /**
   * The reason why the server refused the submitted business definition. `start` is the path of the object that the
   * form edits.
   */
  refusal?: DefinitionRefusal & { start: string }
}

function formPage(shown: Shown, now: CurrentDefinition, deskRequest: DeskRequest): DeskView {
  try {
    return withFields(shown, now, deskRequest)
  } catch (error) {
    if (error instanceof TooManyFieldsError) return tooMuch(shown, deskRequest)
    throw error
  }
}

function tooMuch({ section, value }: Shown, deskRequest: DeskRequest): DeskView {
  const { say } = deskRequest.request.localizer
  return {
    status: 200,
    title: titleOf(section, value, deskRequest),
    who: deskRequest.who,
    place: 'setup',
    body: html`<p class="note">${say('setup.too_much')}</p>
<p><a class="button plain" href="/desk/setup/yaml">${say('setup.yaml')}</a></p>`,
  }
}

function withFields(
  { section, id, value, version, editedList, languages, refusal }: Shown,
  now: CurrentDefinition,
  deskRequest: DeskRequest,
): DeskView {
  const { localizer } = deskRequest.request
  const { schema, parts } = formOfSection(section, value)
  const { currency = currencyOf(now) } = asRecord(asRecord(value).pricing)
  const showing = {
    localizer,
    currency: String(currency),
    remaining: { left: MAX_FIELDS },
    refusedPaths: refusal?.paths.flatMap((path) => formPath(path, refusal.start, value) ?? []) ?? [],
    placedPaths: pathsIn(parts),
    editedList,
    ids: new Set<string>(),
    languages,
    texts: new Map(textsOfSection(section, value).map((text) => [text.path, text])),
    listed: (list: string) =>
      itemsIn(now.definition, list).map((one) => ({
        id: String(one.id),
        name: String(one.name),
        type: list === 'resources' ? String(one.type) : undefined,
      })),
  }
  const isThere = isList(section) && id !== NEW
  const shown = formParts(parts, { schema, path: '', value, isNeeded: true }, showing)
  /**
   * Returns the id of the form field for a path in the business definition. If the form has no such field, returns the
   * id of the closest field that contains the path.
   */
  const fieldFor = (path: string) => {
    const names = formPath(path, refusal?.start ?? '', value)?.split('.') ?? []
    const paths = names.map((_, nth) => names.slice(0, names.length - nth).join('.'))
    return paths.find((one) => showing.ids.has(one))
  }
  return {
    status: refusal ? 409 : 200,
    title: titleOf(section, value, deskRequest),
    who: deskRequest.who,
    place: 'setup',
    body: html`${refusal && html`<p class="note wrong" role="alert">${refusal.text(fieldFor)}</p>`}${pictureLink(section, id, value, deskRequest)}
<form method="post" data-draft><button class="trap" name="do" value="review" tabindex="-1" aria-hidden="true"></button>
<input type="hidden" name="version" value="${version}">${shown}
${saveBar({ isThere }, localizer)}</form>
<p><a class="way" href="/desk/setup${isList(section) ? `/${section}` : ''}">${isList(section) ? labelOf(section, localizer) : localizer.say('desk.setup')}</a></p>`,
  }
}

/** The bar with the button that saves a form. For a list entry that is there, it also has the button that removes it. */
export const saveBar = ({ isThere }: { isThere: boolean }, { say }: Localizer): Content =>
  html`<div class="save-bar"><button name="do" value="review">${say('setup.review')}</button>
${isThere && html`<button class="danger" name="do" value="gone" formnovalidate>${say('setup.remove')}</button>`}</div>`

function listPage(
  section: Section,
  { definition }: CurrentDefinition,
  deskRequest: DeskRequest,
  business: Pick<BusinessDefinition, 'services' | 'resources'>,
): DeskView {
  const { localizer } = deskRequest.request
  const at = (id: string) => `/desk/setup/${section}/${encodeURIComponent(id)}`
  const withoutPerson = business.services.filter((service) => requiresNoPerson(service, business)).map(({ id }) => id)
  const warned = new Set(section === 'services' ? withoutPerson : [])
  return {
    status: 200,
    title: labelOf(section, localizer),
    who: deskRequest.who,
    place: 'setup',
    body: html`<ul class="steps">${itemsIn(definition, section).map(
      ({
        id,
        name,
      }) => html`<li><a href="${at(String(id))}">${String(name)}</a>${warned.has(String(id)) && html`<p class="note wrong">${localizer.say('setup.warning.no_person')}</p>`}</li>
`,
    )}</ul>
<p><a class="button plain" href="${at(NEW)}">${localizer.say('setup.add')}</a></p>
<p><a class="way" href="/desk/setup">${localizer.say('desk.setup')}</a></p>`,
  }
}
