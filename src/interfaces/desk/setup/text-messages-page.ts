import { getTextProvider } from '../../../domain/desk/setup/get-text-provider.ts'
import {
  MAX_ACCOUNT_CHARACTERS,
  MAX_DAILY_LIMIT,
  MAX_SENDER_CHARACTERS,
  MAX_URL_CHARACTERS,
} from '../../../domain/desk/setup/text-provider-schema.ts'
import { TEXT_ADAPTERS, TEXT_TOPICS } from '../../../infra/config/text-provider.ts'
import type { Localizer } from '../../../infra/i18n/localizer.ts'
import { type Content, html } from '../../../infra/util/html-template.ts'
import type { GetTextProvider } from '../../../protocol/types.generated.ts'
import { faultOfField } from '../../pages/form-error-summary.ts'
import { chooser } from '../../pages/form-inputs.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest } from '../call-operation-as-staff.ts'
import type { DeskView } from '../desk-page.ts'
import { problemsNote, type RefusedSettings, testNote } from './tested-settings.ts'

export const TEXT_MESSAGES_SECTION = 'text-messages'
export const TEXT_MESSAGES_PATH = `/desk/setup/${TEXT_MESSAGES_SECTION}`

/** The fields of the form that can be wrong, in their order on the page. */
export const TEXT_FIELDS = [
  ...(['adapter', 'url', 'account', 'secret', 'sender', 'countries', 'topics'] as const),
  ...(['quiet_from', 'quiet_until', 'daily_limit', 'price'] as const),
] as const
export type TextField = (typeof TEXT_FIELDS)[number]

/** The field `to` is the recipient of the test message. */
export type RefusedTextProvider = RefusedSettings<TextField | 'to'>

type State = GetTextProvider['output']

/**
 * The page on which an owner enters the provider of text messages, and sends a test message. The page never shows the
 * stored secret.
 */
export async function textMessagesPage(
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
  refused?: RefusedTextProvider,
): Promise<DeskView> {
  const { who, request } = deskRequest
  const { localizer } = request
  const { say } = localizer
  const answer = await callAsStaff(getTextProvider, {}, deskRequest, dependencies)
  const state: State = answer.refusal ? { last_30_days: { messages: 0, segments: 0 } } : answer.result
  const currency = (await dependencies.business.get())?.business.currency ?? ''
  return {
    status: refused ? 409 : 200,
    title: say('setup.texts'),
    who,
    place: 'setup',
    body: html`${refused && problemsNote(refused, fieldLabel, localizer)}
<p>${say('setup.texts.text')}</p>
${state.text_provider && html`<p class="note">${usageText(state, currency, localizer)}</p>`}
${settingsForm(state, refused, localizer, currency)}
${state.text_provider && html`<p class="below-form">${say('setup.texts.replies')}</p><p><code dir="ltr">${dependencies.config.baseUrl}/text-messages/${state.text_provider.adapter}</code></p>`}
${state.text_provider?.adapter === 'bird' && html`<p>${say('setup.texts.replies.bird')}</p>`}
${state.text_provider && testForm(state, refused, localizer)}
${state.text_provider && html`<details class="below-form"><summary>${say('setup.texts.remove')}</summary><form method="post" action="${TEXT_MESSAGES_PATH}"><p>${say('setup.texts.remove.text')}</p><button class="danger" name="do" value="remove">${say('setup.texts.remove')}</button></form></details>`}
<p class="below-form"><a class="way" href="/desk/setup">${say('desk.setup')}</a></p>`,
  }
}

function usageText({ last_30_days: { messages, segments, cost } }: State, currency: string, localizer: Localizer) {
  const { say, number } = localizer
  const used = say('setup.texts.usage', { messages, segments: number(segments) })
  if (cost === undefined) return used
  return `${used} ${say('setup.texts.cost', { cost: localizer.money(Number(cost), currency) })}`
}

const fieldLabel = (field: TextField | 'to', { say }: Localizer): string =>
  field === 'to' ? say('book.field.phone') : say(`setup.texts.${field}`)

function settingsForm(
  { text_provider: stored }: State,
  refused: RefusedTextProvider | undefined,
  localizer: Localizer,
  currency: string,
): Content {
  const { say } = localizer
  const value = (name: Exclude<TextField, 'secret' | 'topics' | 'countries'>, usual = '') =>
    refused?.form.get(name) ?? stored?.[name] ?? usual
  const fault = (name: TextField) => faultOfField(name, refused?.faults.get(name))
  const field = (name: TextField, content: Content, attributes: Content, hint?: string) =>
    html`<div><label for="${name}">${fieldLabel(name, localizer)}${hint !== undefined && html` <span class="hint">${hint}</span>`}</label>${fault(name).error}
<input id="${name}" name="${name}" value="${content}" autocomplete="off" spellcheck="false" dir="ltr"${attributes}${fault(name).mark}></div>
`
  const topics = refused?.form.getAll('topics') ?? stored?.topics ?? TEXT_TOPICS
  const countries = refused?.form.get('countries') ?? stored?.countries.join(' ') ?? ''
  return html`<form method="post" action="${TEXT_MESSAGES_PATH}">
${chooser({
  name: 'adapter',
  label: say('setup.texts.adapter'),
  options: TEXT_ADAPTERS.map((one) => [one, say(`setup.texts.adapter.${one}`)]),
  chosen: [String(value('adapter'))],
})}
${field('url', value('url'), html` type="url" maxlength="${MAX_URL_CHARACTERS}" placeholder="https://"`, say('setup.texts.url.hint'))}
<div class="two">${field('account', value('account'), html` maxlength="${MAX_ACCOUNT_CHARACTERS}"`, say('setup.texts.account.hint'))}
<div><label for="secret">${say('setup.texts.secret')} <span class="hint">${say('setup.texts.secret.hint')}</span></label>${fault('secret').error}
<input id="secret" name="secret" type="password" maxlength="500" autocomplete="new-password" dir="ltr"${stored && html` aria-describedby="secret-stored"`}${fault('secret').mark}>
${stored && html`<p class="hint" id="secret-stored">${say('setup.texts.secret.stored')}</p>`}</div></div>
<div class="two">${field('sender', value('sender'), html` required maxlength="${MAX_SENDER_CHARACTERS}"`, say('setup.texts.sender.hint'))}
${field('countries', countries, html` required maxlength="1000" placeholder="DE AT CH"`, say('setup.texts.countries.hint'))}</div>
<fieldset class="ticks" id="topics"><legend>${say('setup.texts.topics')}</legend>${fault('topics').error}
<div class="ticks-of">${TEXT_TOPICS.map(
    (topic) =>
      html`<span class="check"><input type="checkbox" id="topic-${topic}" name="topics" value="${topic}"${topics.some((one) => one === topic) && html` checked`}><label for="topic-${topic}">${say(`setup.texts.topic.${topic}`)}</label></span>
`,
  )}</div></fieldset>
<div class="two">${field('quiet_from', value('quiet_from', '21:00'), html` type="time"`)}
${field('quiet_until', value('quiet_until', '08:00'), html` type="time"`)}</div>
<p class="hint">${say('setup.texts.quiet.hint')}</p>
<div class="two">${field('daily_limit', value('daily_limit', '200'), html` required type="number" min="1" max="${MAX_DAILY_LIMIT}"`, say('setup.texts.daily_limit.hint'))}
${field('price', value('price'), html` inputmode="decimal" maxlength="12"`, say('setup.texts.price.hint', { currency }))}</div>
<button name="do" value="save">${say('desk.save')}</button></form>`
}

function testForm({ last_test: test }: State, refused: RefusedTextProvider | undefined, localizer: Localizer): Content {
  const { say } = localizer
  const fault = faultOfField('to', refused?.faults.get('to'))
  return html`<h2>${say('setup.texts.test')}</h2>
${test && testNote(test, { sent: say('setup.texts.test.sent'), waiting: say('setup.texts.test.waiting'), failed: say('setup.texts.test.failed') })}
<form method="post" action="${TEXT_MESSAGES_PATH}"><label for="to">${say('book.field.phone')}</label>${fault.error}
<input id="to" name="to" type="tel" maxlength="40" autocomplete="tel" dir="ltr" required value="${refused?.form.get('to') ?? ''}"${fault.mark}>
<button class="plain" name="do" value="test">${say('setup.texts.test')}</button></form>`
}
