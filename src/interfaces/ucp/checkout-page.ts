import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isSafeWebUrl } from '../../core/business/contact-channels.ts'
import type { Providers } from '../../domain/payments/find-payment-provider.ts'
import {
  checkoutPageUrl,
  completeCheckoutTask,
  isCheckoutSecret,
  openTasks,
} from '../../domain/ucp-checkouts/buyer-tasks.ts'
import { type CheckoutRow, dueNow } from '../../domain/ucp-checkouts/checkout-row.ts'
import { checkoutById } from '../../domain/ucp-checkouts/queries.ts'
import { refreshCharge } from '../../domain/ucp-checkouts/refresh-charge.ts'
import { timeRange } from '../../infra/i18n/format-times.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { CountingDependencies } from '../../pipeline/limit-calls-per-caller.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { type Given, questionField, readAnswers } from '../booking-pages/intake-page.ts'
import { refuseOtherMethods } from '../http/route-guards.ts'
import { forbidden, notFound } from '../pages/error-pages.ts'
import type { View } from '../pages/page-layout.ts'
import { formOf, isForeign, pageRoute, pageScope, send } from '../pages/page-route-setup.ts'

type PageDependencies = CountingDependencies &
  Dependencies<'config' | 'tag' | 'makeChange' | 'log'> & { payments: Providers }

interface Shown {
  row: CheckoutRow
  definition: BusinessDefinition
  localizer: Localizer
}

const PATH = '/checkout/:id/:secret'

type Address = { Params: { id: string; secret: string } }

/**
 * Serves the page of a UCP (Universal Commerce Protocol) checkout. On this page, the buyer agrees to terms, answers
 * questions, or continues to the page of their bank.
 */
export function serveCheckoutPage(scope: FastifyInstance, dependencies: PageDependencies) {
  pageScope(scope, dependencies)
  const options = pageRoute(dependencies)
  scope.get<Address>(PATH, options, async (request, reply) => {
    const shown = await open(request, request.params, dependencies)
    return send(reply, shown ? await view(shown, dependencies) : notFound(request.localizer), dependencies)
  })
  scope.post<Address>(PATH, options, async (request, reply) => {
    const shown = await open(request, request.params, dependencies)
    if (!shown) return send(reply, notFound(request.localizer), dependencies)
    if (isForeign(request, dependencies.config)) return send(reply, forbidden(request.localizer), dependencies)
    const again = await submit(shown, formOf(request), dependencies)
    return send(reply, again ?? { to: checkoutPageUrl('', dependencies.tag, shown.row.id) }, dependencies)
  })
  refuseOtherMethods(scope, PATH, ['GET', 'POST'])
}

async function open(
  { localizer }: FastifyRequest,
  { id, secret }: Address['Params'],
  { db, tag, business }: PageDependencies,
): Promise<Shown | undefined> {
  if (!isCheckoutSecret(tag, id, secret)) return undefined
  const [row, definition] = await Promise.all([checkoutById(db, id), business.get()])
  return row && definition && { row, definition, localizer }
}

async function view(shown: Shown, dependencies: PageDependencies): Promise<View> {
  const { row, localizer } = shown
  const { say } = localizer
  if (row.status === 'escalated') {
    const url = await refreshCharge(dependencies, row.id)
    const after = url === undefined ? await checkoutById(dependencies.db, row.id) : undefined
    if (after) return view({ ...shown, row: { ...after, status: endingOf(after) } }, dependencies)
    return page(
      shown,
      say('checkout.bank'),
      html`<p>${say('checkout.bank.text')} ${say('booking.payment.now')}:
<strong>${localizer.money(dueNow(row), row.agreed.currency)}</strong></p>
<p><a class="way" href="${url ?? ''}" rel="noreferrer">${say('checkout.bank')}</a></p>`,
    )
  }
  const [task] = row.status === 'open' && row.expires_at > dependencies.clock() ? openTasks(row) : []
  if (task?.type === 'waiver') return page(shown, say('booking.waiver'), waiverForm(shown))
  if (task?.type === 'intake') return intakeForm(shown, { answers: new Map(), faults: new Map() })
  return page(shown, say('checkout.title'), html`<p>${say(ENDINGS[row.status])}</p>`)
}

const ENDINGS = {
  open: 'checkout.done',
  completing: 'checkout.settling',
  escalated: 'checkout.settling',
  completed: 'checkout.done',
  canceled: 'checkout.over',
} as const

/**
 * Returns the status that the page shows for a checkout. If the payment provider does not answer, the checkout counts
 * as in progress. The server then does not ask the provider again for the same page.
 */
const endingOf = ({ status }: CheckoutRow): CheckoutRow['status'] => (status === 'escalated' ? 'completing' : status)

/**
 * Processes the submitted form for the first open task of a UCP checkout. If answers are missing or wrong, returns the
 * form again.
 */
async function submit(shown: Shown, form: URLSearchParams, dependencies: PageDependencies): Promise<View | undefined> {
  const { row, localizer } = shown
  const now = dependencies.clock()
  const [task] = openTasks(row)
  if (!task) return undefined
  const { id, agreed } = row
  if (task.type === 'waiver') {
    if (form.get('task') === 'waiver')
      await dependencies.makeChange((tx) => completeCheckoutTask(tx, id, { type: 'waiver' }, now))
    return undefined
  }
  const given = readAnswers(agreed.intake ?? [], form, localizer)
  if (given.faults.size > 0) return intakeForm(shown, given)
  const answers = Object.fromEntries(given.answers)
  await dependencies.makeChange((tx) => completeCheckoutTask(tx, id, { type: 'intake', answers }, now))
  return undefined
}

const page = (shown: Shown, title: string, body: Content): View => ({
  status: 200,
  title,
  body: html`${summary(shown)}
${body}`,
})

function summary({ row: { agreed }, localizer }: Shown): Content {
  const { service, slot, zone, price, currency } = agreed
  const time = timeRange(localizer, new Date(slot.start), new Date(slot.end), zone)
  return html`<p><strong dir="auto">${service.name}</strong><br>${time}<br>
<span class="soft">${price.total > 0 ? localizer.money(price.total, currency) : localizer.say('booking.price.none')}</span></p>`
}

function waiverForm({ row, definition, localizer: { say } }: Shown): Content {
  const { text = '', url = '' } = row.agreed.waiver ?? {}
  return html`<p>${say('booking.waiver.text', { business: definition.business.name })}</p>
<h2 id="text">${say('booking.waiver.what')}</h2>
<div class="text" dir="auto" lang="${definition.business.language ?? 'en'}" role="region" aria-labelledby="text">${text}</div>
${isSafeWebUrl(url) && html`<p><a class="way" href="${url}" rel="noreferrer">${say('booking.waiver.full')}</a></p>`}
<form method="post"><button name="task" value="waiver">${say('booking.waiver.agree')}</button></form>`
}

function intakeForm(shown: Shown, given: Given): View {
  const { row, definition, localizer } = shown
  const { say } = localizer
  const isFaulty = given.faults.size > 0
  const body = html`<p>${say('booking.intake.text', { business: definition.business.name })}</p>
<form method="post">
${(row.agreed.intake ?? []).map((question) => questionField(question, given, shown))}
<button name="task" value="intake">${say('booking.intake.send')}</button>
</form>`
  return {
    ...page(shown, say(isFaulty ? 'booking.intake.again' : 'booking.intake'), body),
    status: isFaulty ? 422 : 200,
  }
}
