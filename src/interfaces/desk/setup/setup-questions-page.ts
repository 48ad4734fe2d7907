import { applyDefinition } from '../../../domain/desk/setup/apply-definition.ts'
import { amountError, amountHelp } from '../../../infra/i18n/format-amounts.ts'
import { languages } from '../../../infra/i18n/languages.ts'
import type { Localizer, Message } from '../../../infra/i18n/localizer.ts'
import { type Content, type Html, html } from '../../../infra/util/html-template.ts'
import { faultOfField, faultSummary } from '../../pages/form-error-summary.ts'
import { chooser } from '../../pages/form-inputs.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest } from '../call-operation-as-staff.ts'
import type { DeskView } from '../desk-page.ts'
import { EXAMPLE_AMOUNT } from '../take-payment-form.ts'
import { DAYS, dayNames } from './field-labels.ts'
import { CHANNELS, firstDefinition } from './first-definition.ts'
import { currencies, guessZoneAndCurrency, zones } from './guess-zone-and-currency.ts'
import { type Field, readSetupAnswers } from './read-setup-answers.ts'
import { refusalContent } from './review-change-page.ts'

const LABELS: Record<Field, Message> = {
  name: 'setup.name',
  phone: 'book.field.phone',
  email: 'book.field.email',
  address: 'setup.address',
  service: 'setup.first.service.name',
  minutes: 'setup.first.minutes',
  price: 'setup.first.price',
  people: 'setup.first.people.names',
}

/**
 * Returns the id of the setup field for a path in the business definition. For example, the path `resources` belongs to
 * the field `people`.
 */
const fieldFor = (path: string): string | undefined => {
  if (path.startsWith('hours')) return 'monday'
  if (path.startsWith('resources')) return 'people'
  if (path.startsWith('services'))
    return path.includes('duration') ? 'minutes' : path.includes('pricing') ? 'price' : 'service'
  if (path.endsWith('email') || path.startsWith('mails')) return 'email'
  if (path.endsWith('address')) return 'address'
  if (path.endsWith('business.name')) return 'name'
  return undefined
}

export function setupQuestionsPage(
  form: URLSearchParams | undefined,
  { who, request: { localizer } }: DeskRequest,
  invalid: ReadonlySet<Field> = new Set(),
  refusal?: Content,
): DeskView {
  const { say, locale } = localizer
  const guessed = guessZoneAndCurrency(locale)
  const answers = form ?? defaultAnswers
  const name = dayNames(locale)
  const currency = currencyOf(answers, guessed.currency)
  const faultIn = (name: Field): string => faultText(name, answers, currency, localizer)
  const markOf = (name: Field) => faultOfField(name, invalid.has(name) ? faultIn(name) : undefined)
  const field = (name: Field, label: Message, type: string, more: Html | '' = '') =>
    html`<div><label for="${name}">${say(label)}</label>${markOf(name).error}<input id="${name}" name="${name}" type="${type}" maxlength="300" value="${answers.get(name) ?? ''}"${markOf(name).mark}${more}></div>
`
  const needed = html` required`
  const question = (legend: Message, body: Content) => html`<fieldset class="q"><legend>${say(legend)}</legend>
${body}</fieldset>
`
  const currencyChooser = chooser({
    name: 'currency',
    label: say('setup.currency'),
    options: currencies(locale),
    chosen: [answers.get('currency') ?? guessed.currency],
  })
  const languageChooser = chooser({
    name: 'language',
    label: say('setup.language'),
    options: Object.entries(languages),
    chosen: [answers.get('language') ?? localizer.language],
  })
  return {
    status: invalid.size > 0 || refusal !== undefined ? 409 : 200,
    title: say('setup.first'),
    who,
    place: 'setup',
    body: html`<p>${say('setup.first.text')}</p>
${
  invalid.size > 0 &&
  faultSummary(
    say('setup.look_again', { count: invalid.size }),
    [...invalid].map((id) => ({
      id,
      label: say(LABELS[id]),
      fault: id === 'price' ? amountHelp(localizer, EXAMPLE_AMOUNT, currency) : faultIn(id),
    })),
  )
}${refusal !== undefined && html`<p class="note wrong" role="alert">${refusal}</p>`}
<form method="post" action="/desk/setup" data-draft>
${question('setup.first.who', [
  field('name', 'setup.name', 'text', html` required autocomplete="organization"`),
  html`<div class="two">${field('phone', 'book.field.phone', 'tel', html` autocomplete="tel"`)}${field('email', 'book.field.email', 'email', html` autocomplete="email"`)}</div>`,
  field('address', 'setup.address', 'text', html` autocomplete="street-address"`),
])}${question('setup.first.where', [
  html`<div${!form && html` data-guess="zone"`}>${chooser({
    name: 'zone',
    label: say('setup.timezone'),
    options: zones().map((zone) => [zone, zone.replaceAll('_', ' ')]),
    chosen: [answers.get('zone') ?? guessed.zone],
  })}</div>`,
  html`<div class="two">${currencyChooser}${languageChooser}</div>`,
])}${question(
  'setup.first.hours',
  DAYS.map(
    (
      day,
    ) => html`<div class="window"><span class="check"><input type="checkbox" id="${day}" name="open" value="${day}"${answers.getAll('open').includes(day) && html` checked`}><label for="${day}">${name(day)}</label></span>
<span class="from-to"><input type="time" name="${day}.opens" aria-label="${name(day)}, ${say('setup.opens')}" value="${answers.get(`${day}.opens`) ?? '09:00'}"> – <input type="time" name="${day}.closes" aria-label="${name(day)}, ${say('setup.closes')}" value="${answers.get(`${day}.closes`) ?? '18:00'}"></span></div>
`,
  ),
)}${question('setup.first.service', [
  field('service', 'setup.first.service.name', 'text', needed),
  html`<div class="two">${field('minutes', 'setup.first.minutes', 'number', html` min="5" max="1440" step="5" required`)}${field('price', 'setup.first.price', 'text', html` inputmode="decimal" autocomplete="off"`)}</div>`,
  chooser({
    name: 'channel',
    label: say('setup.first.channel'),
    options: CHANNELS.map((one) => [one, say(`setup.channel.${one}`)]),
    chosen: [answers.get('channel') ?? CHANNELS[0]],
  }),
])}${question(
  'setup.first.people',
  html`<label for="people">${say('setup.first.people.names')}</label>${markOf('people').error}<textarea id="people" name="people" rows="3" maxlength="5000" required${markOf('people').mark}>${answers.get('people') ?? ''}</textarea>`,
)}
<button>${say('setup.first.do')}</button></form>`,
  }
}

const FAULTS: Record<Exclude<Field, 'price'>, Message> = {
  name: 'book.fault.missing',
  phone: 'book.fault.phone',
  email: 'book.fault.email',
  address: 'book.fault.missing',
  service: 'book.fault.missing',
  minutes: 'setup.first.fault.minutes',
  people: 'setup.first.fault.people',
}

function faultText(name: Field, answers: URLSearchParams, currency: string, localizer: Localizer): string {
  if (name !== 'price') return localizer.say(FAULTS[name])
  const written = answers.get('price') ?? ''
  const help = amountHelp(localizer, EXAMPLE_AMOUNT, currency)
  return amountError(written, EXAMPLE_AMOUNT, currency, localizer) ?? help
}

const currencyOf = (form: URLSearchParams, usual: string): string => {
  const currency = form.get('currency') ?? ''
  return /^[A-Z]{3}$/.test(currency) ? currency : usual
}

/**
 * The default answers in the setup form, which suit most businesses: open from Monday to Friday, with a service of 60
 * minutes.
 */
const defaultAnswers = new URLSearchParams([...DAYS.slice(0, 5).map((day) => ['open', day]), ['minutes', '60']])

export async function submitSetupAnswers(
  form: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<DeskView | { to: string }> {
  const { invalid, answers } = readSetupAnswers(form, deskRequest.request.localizer.locale)
  if (!answers) return setupQuestionsPage(form, deskRequest, invalid)
  const definition = JSON.stringify(firstDefinition(answers))
  const { refusal } = await callAsStaff(applyDefinition, { definition, version: 0 }, deskRequest, dependencies)
  if (refusal)
    return setupQuestionsPage(
      form,
      deskRequest,
      invalid,
      refusalContent(refusal, deskRequest.request.localizer, {}, fieldFor),
    )
  await dependencies.business.seenBy(dependencies.db)
  return { to: '/desk/setup' }
}
