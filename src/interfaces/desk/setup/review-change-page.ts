import { applyDefinition } from '../../../domain/desk/setup/apply-definition.ts'
import { shortMomentText } from '../../../infra/i18n/format-times.ts'
import type { Localizer } from '../../../infra/i18n/localizer.ts'
import { type Content, type Html, html } from '../../../infra/util/html-template.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import type { ApplyBusinessDefinition, BusinessDefinition, Message } from '../../../protocol/types.generated.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest } from '../call-operation-as-staff.ts'
import type { DeskView } from '../desk-page.ts'
import { type FieldFor, faultPath, faultText } from './definition-fault-text.ts'
import { changeText, warningText } from './describe-definition-change.ts'
import { serviceFacts } from './summarize-new-service.ts'

type ApplyResult = ApplyBusinessDefinition['output'] & AffectedBookings

/** The query parameter with which the next page says that the server has saved the change. */
const SAVED = 'saved'

export interface Proposal {
  definition: string
  form: URLSearchParams
  title: string
  /** The URL to which the server redirects after it has applied the change. */
  to: string
  /** The id of the service that the form adds, and the business definition with this service. */
  added?: { id: string; definition: object } | undefined
  /** What the change also does, for the review. */
  consequences?: Content
}

/**
 * The reasons why the server refused a business definition. `paths` are the paths of the invalid properties. `text`
 * returns the reasons, with links to the form fields of these properties.
 */
export interface DefinitionRefusal {
  paths: string[]
  text(fieldFor?: FieldFor): Content
}

/**
 * Shows what would change in the business definition. The server finds the changes with a dry run, which stores
 * nothing. After the user confirms, the server applies the changes. If the server refuses the definition, the caller
 * must show the form again.
 */
export async function proposeDefinition(
  { definition, form, title, to, added, consequences }: Proposal,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<DeskView | { to: string } | { refusal: DefinitionRefusal }> {
  const { localizer } = deskRequest.request
  const isMeant = form.get('do') === 'apply'
  const version = Number(form.get('version'))
  const input = { definition, ...(Number.isSafeInteger(version) && version >= 0 && { version }), dry_run: !isMeant }
  // A dry run changes nothing, so it needs no idempotency key. Without a key, the user can submit the same form several
  // times with different values.
  const { who, request } = deskRequest
  const { refusal, ...answer } = await callAsStaff(
    applyDefinition,
    input,
    isMeant ? deskRequest : { who, request },
    dependencies,
  )
  const now = (await dependencies.business.get()) ?? {}
  if (refusal)
    return {
      refusal: {
        paths: faultLines(refusal).flatMap((line) => faultPath(line) ?? []),
        text: (fieldFor) => refusalContent(refusal, localizer, now, fieldFor),
      },
    }
  if (isMeant) {
    await dependencies.business.seenBy(dependencies.db)
    return { to: `${to}?${SAVED}` }
  }
  if (!('result' in answer)) throw new Error('An answer without refusal has a result')
  // The type cast is safe, because the dry run has accepted the value as a valid business definition.
  const about =
    added && (await serviceFacts(added.definition as BusinessDefinition, added.id, localizer, dependencies.clock()))
  return {
    status: 200,
    title,
    who,
    place: 'setup',
    body: review(answer.result, { form, now, about: html`${consequences}${about}` }, localizer),
  }
}

export function withSavedNote(view: DeskView, { request: { query, localizer } }: DeskRequest): DeskView {
  if (asRecord(query)[SAVED] === undefined) return view
  return { ...view, body: html`<p class="note" role="status">${localizer.say('setup.saved')}</p>${view.body}` }
}

function review(
  { changes, noted, stranded }: ApplyResult,
  { form, now, about }: { form: URLSearchParams; now: Partial<BusinessDefinition>; about: Content },
  localizer: Localizer,
): Html {
  const { say } = localizer
  const isNothing = changes.length === 0
  return html`<h2>${say('setup.changes')}</h2>
${isNothing && html`<p>${say('setup.none')}</p>`}<ul class="story">${changes.map(
    (change) => html`<li>${changeText(change, now, localizer)}</li>
`,
  )}</ul>
${about}${affectedBookingsList(stranded, now.business?.timezone ?? 'UTC', localizer)}${noted.length > 0 && html`<h2>${say('setup.warnings')}</h2><ul>${noted.map((one) => html`<li>${warningText(one, localizer)}</li>`)}</ul>`}
<form method="post" data-draft>${[...form].filter(([name]) => name !== 'do').map(([name, value]) => html`<textarea name="${name}" hidden>${value}</textarea>`)}
<div class="acts">${!isNothing && html`<button name="do" value="apply">${say('setup.apply')}</button>`}<button class="plain" name="do" value="edit">${say('setup.edit')}</button></div></form>`
}

export const refusalContent = (
  refusal: Message,
  localizer: Localizer,
  now: Partial<BusinessDefinition> = {},
  fieldFor?: FieldFor,
): Content =>
  refusal.code === 'invalid_transition'
    ? localizer.say('setup.older')
    : html`${localizer.say('setup.refused')}${faultLines(refusal).map((line) => html`<br>${faultText(line, localizer, now, fieldFor)}`)}`

/**
 * Splits the error message about a business definition into one line for each error. Removes the line numbers from the
 * text.
 */
function faultLines({ content }: Message): string[] {
  const [first = '', ...lines] = content.split('\n')
  return (lines.length > 0 ? lines : [first]).map(withoutPlace)
}

const withoutPlace = (line: string) => line.replace(/^definition:\d+: /, '')

/**
 * The bookings that no longer fit the business definition after a change. Undefined if the operation does not report
 * such bookings.
 */
interface AffectedBookings {
  stranded?: { total: number; bookings: { id: string; reference: string; service_name: string; start: string }[] }
}

const affectedBookingsList = (stranded: AffectedBookings['stranded'], zone: string, localizer: Localizer): Content =>
  stranded !== undefined &&
  stranded.total > 0 &&
  html`<p class="note wrong">${localizer.say('setup.stranded', { count: stranded.total })}</p>
<ul>${stranded.bookings.map(
    ({
      id,
      reference,
      service_name,
      start,
    }) => html`<li><a href="/desk/bookings/${id}">${reference}</a> ${service_name}, ${localizer.isolate(shortMomentText(localizer, new Date(start), zone))}</li>
`,
  )}</ul>`
