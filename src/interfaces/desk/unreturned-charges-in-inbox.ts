import { zoneOf } from '../../core/business/definition-facts.ts'
import { listUnreturnedCharges } from '../../domain/desk/inbox/list-unreturned-charges.ts'
import { markChargeReturned } from '../../domain/desk/inbox/mark-charge-returned.ts'
import { shortMomentText } from '../../infra/i18n/format-times.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest, isAllowed } from './call-operation-as-staff.ts'

/**
 * Returns the inbox section about charges without a booking that the payment provider refuses to return. The staff
 * return them by hand. Returns undefined if there are no such charges.
 */
export async function unreturnedChargesPart(
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Content> {
  const { localizer } = deskRequest.request
  const { say } = localizer
  const answer = await callAsStaff(listUnreturnedCharges, {}, deskRequest, dependencies)
  if (answer.refusal || answer.result.charges.length === 0) return undefined
  const zone = await zoneOf(dependencies)
  const button = (id: string) =>
    html`<form method="post" action="/desk/inbox" class="acts"><button class="plain" name="returned" value="${id}">${say('desk.unreturned.do')}</button></form>`
  return html`<h2>${say('desk.unreturned')}</h2><p class="note">${say('desk.unreturned.why')}</p><ul class="story">${answer.result.charges.map(
    ({
      id,
      order_id,
      reference,
      amount,
      currency,
      at,
    }) => html`<li><strong>${localizer.money(amount, currency)}</strong> · ${shortMomentText(localizer, new Date(at), zone)}<br>
<span class="soft">${say('desk.unreturned.order', { order: order_id, reference })}</span>
${isAllowed(deskRequest.who, markChargeReturned) && button(id)}</li>
`,
  )}</ul>`
}
