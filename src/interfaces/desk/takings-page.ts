import { readTakings } from '../../domain/desk/money/get-takings.ts'
import { TAKINGS } from '../../domain/desk/shared/desk-list-limits.ts'
import { formatAmount } from '../../infra/i18n/format-amounts.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { dateIn } from '../../infra/time/time-zone.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import { csv } from '../../infra/util/write-csv.ts'
import type { GetTakings } from '../../protocol/types.generated.ts'
import {
  callAsStaff,
  type DeskDependencies,
  type DeskRequest,
  isAllowed,
  missingRolePage,
} from './call-operation-as-staff.ts'
import { ignoreInvalidRange, otherRanges, rangeForm, readRange } from './date-range-form.ts'
import type { DeskView } from './desk-page.ts'

const PATH = '/desk/money'

type Takings = GetTakings['output']
type Taking = Takings['takings'][number]

/**
 * The page with the takings (money received) in a range of days, by default today. One table shows the sums by payment
 * kind. Another table shows the sums by staff member.
 */
export async function takingsPage(
  query: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<DeskView> {
  const { who, request } = deskRequest
  const { say } = request.localizer
  if (!isAllowed(who, readTakings)) return missingRolePage(readTakings, deskRequest)
  const takings = await findTakings(query, deskRequest, dependencies)
  const range = { from: query.get('from') ?? '', to: query.get('to') ?? '' }
  const view = { title: say('desk.money'), who, place: 'money' } as const
  if (!takings)
    return {
      ...view,
      status: 409,
      body: html`<p class="note wrong" role="alert">${say('desk.money.days', { most: TAKINGS.days })}</p>${rangeForm(PATH, range, request.localizer)}`,
    }
  const { start_date: from, end_date: to, timezone } = takings
  const today = dateIn(timezone, dependencies.clock().getTime())
  return {
    ...view,
    status: 200,
    body: html`${otherRanges(PATH, { from, to, today }, request.localizer)}${rangeForm(PATH, { from, to }, request.localizer)}
${takings.takings.length === 0 ? html`<p class="note">${say('desk.none')}</p>` : takingsTables(takings.takings, request.localizer)}
<p><a href="/desk/money.csv?from=${from}&to=${to}" download>${say('desk.money.csv')}</a></p>`,
  }
}

/**
 * Returns the takings (money received) as a CSV file. Returns undefined if the staff member's role does not allow
 * takings, or if the range of days is invalid.
 */
export async function takingsFile(query: URLSearchParams, deskRequest: DeskRequest, dependencies: DeskDependencies) {
  if (!isAllowed(deskRequest.who, readTakings)) return undefined
  const takings = await findTakings(query, deskRequest, dependencies)
  if (!takings) return undefined
  const { say } = deskRequest.request.localizer
  const head = [say('desk.day'), say('desk.money.kind'), say('desk.money.person'), say('desk.money.count')]
  const sums = [say('desk.money.taken'), say('desk.money.tips'), say('desk.money.back'), say('desk.money.currency')]
  const rows = takings.takings.map((one) => [
    ...[one.date, say(`desk.kind.${one.kind}`), personOf(one), one.payments],
    ...[one.amount, one.tips, one.refunded].map((sum) => formatAmount(sum, one.currency, 'en')),
    one.currency,
  ])
  return { name: `${takings.start_date}-${takings.end_date}.csv`, content: csv([[...head, ...sums], ...rows]) }
}

async function findTakings(
  query: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Takings | undefined> {
  const answer = await callAsStaff(readTakings, readRange(query), deskRequest, dependencies).catch(ignoreInvalidRange)
  return answer?.refusal ? undefined : answer?.result
}

/** The tables of one currency after the other: the sums by payment kind, and the sums by staff member. */
export const takingsTables = (takings: readonly Taking[], localizer: Localizer): Content =>
  [...Map.groupBy(takings, ({ currency }) => currency)].map(([currency, takingsInCurrency]) => {
    const { say } = localizer
    const byKind = table(say('desk.money.kind'), takingsInCurrency, (one) => say(`desk.kind.${one.kind}`), {
      localizer,
      currency,
    })
    const ofPeople = takingsInCurrency.filter(({ taken_by }) => taken_by !== undefined)
    return html`${byKind}${ofPeople.length > 0 && table(say('desk.money.person'), ofPeople, personOf, { localizer, currency })}`
  })

const personOf = ({ name, taken_by = '' }: Taking): string => name ?? taken_by

function table(
  title: string,
  takings: readonly Taking[],
  nameOf: (one: Taking) => string,
  { localizer: { say, money }, currency }: { localizer: Localizer; currency: string },
): Content {
  // On a phone, CSS shows the rows as grids, and browsers then ignore the table structure. Therefore the `role`
  // attributes repeat the table structure for screen readers.
  const row = (name: string, all: readonly Taking[]) =>
    html`<tr role="row"><th scope="row" role="rowheader">${name}</th>${(['amount', 'tips', 'refunded'] as const).map(
      (sum) =>
        html`<td role="cell">${money(
          all.reduce((total, one) => total + one[sum], 0),
          currency,
        )}</td>`,
    )}</tr>
`
  const heads = [title, say('desk.money.taken'), say('desk.money.tips'), say('desk.money.back')]
  return html`<table class="takings" role="table"><thead role="rowgroup"><tr role="row">${heads.map((head) => html`<th scope="col" role="columnheader">${head}</th>`)}</tr></thead>
<tbody role="rowgroup">${[...Map.groupBy(takings, nameOf)].map(([name, all]) => row(name, all))}</tbody>
<tfoot role="rowgroup">${row(say('desk.money.all'), takings)}</tfoot></table>`
}
