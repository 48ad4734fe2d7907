import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { staffLinkFind } from '../../authentication/staff-links.ts'
import { staffSessionEnd } from '../../authentication/staff-sessions.ts'
import { html } from '../../basics/html.ts'
import { remember } from '../../basics/remember.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { guarded, open } from '../http/guards.ts'
import { refuseOtherMethods } from '../http/other-methods.ts'
import { sameForAll } from '../http/same-for-all.ts'
import { forbidden, notFound } from '../pages/failures.ts'
import { refusalText } from '../pages/refusals.ts'
import { isForeign } from '../pages/same-origin.ts'
import { formOf, pageRoute, pageScope, queryOf } from '../pages/scope.ts'
import { acts } from './acts.ts'
import { awayChosen, awayPage } from './away-page.ts'
import { blocksPage, unblock } from './blocks-page.ts'
import { bookChosen, bookPage } from './book-page.ts'
import { bookingPage } from './booking-page.ts'
import { bookingsPage, inboxPage } from './bookings-page.ts'
import { lengthChosen } from './change-length.ts'
import { changeClass, classPage } from './class-page.ts'
import { classesPage } from './classes-page.ts'
import { keepColumns } from './columns-shown.ts'
import { corrected, correctPage } from './correct-page.ts'
import { customerChanged, customerPage } from './customer-page.ts'
import { customersPage } from './customers-page.ts'
import { dayPage } from './day-page.ts'
import { type Asking, ask, type DeskMeans, may } from './desk-calls.ts'
import { DESK_STYLE, type DeskView, sendDesk } from './desk-page.ts'
import { deskStyle } from './desk-style.ts'
import { devicesPage } from './devices-page.ts'
import { liveDesks } from './live.ts'
import { moneyFile, moneyPage } from './money-page.ts'
import { moveChosen, movePage } from './move-page.ts'
import { payChosen } from './pay-chosen.ts'
import { refundPage } from './refund-page.ts'
import { reportsFile } from './reports-file.ts'
import { reportsPage } from './reports-page.ts'
import { seriesChosen, seriesPage } from './series-page.ts'
import { signIn, signOut, whoIsAtDesk } from './session.ts'
import { SETUP_PATHS, setupChosen, setupPage, unlessSetUp } from './setup/serve-setup.ts'
import { DOWNLOAD, download } from './setup/yaml-page.ts'
import { keepStranded } from './stranded-part.ts'
import { toldAgain } from './tell-again.ts'
import { changeWaitlist, offerPage, waitlistPage } from './waitlist-page.ts'
import { weekPage } from './week-page.ts'

type Booked = { Params: { id: string } }
type Link = { Params: { secret: string } }
type Answer = DeskView | { to: string } | undefined

const kept = { keptFor: 300, isPrivate: true }
/** By their addresses. */
const scripts = ['desk', 'drag'].map((name) => ({
  path: `/desk/${name}.js`,
  script: sameForAll({
    ...{ ...kept, type: 'text/javascript; charset=utf-8' },
    content: readFileSync(new URL(`browser/${name}.js`, import.meta.url)),
  }),
}))
/** By the colour of the business. */
const styleOf = remember(20, (accent: string | undefined) =>
  sameForAll({ ...kept, type: 'text/css; charset=utf-8', content: deskStyle(accent) }),
)

/** Where the staff see the day and do their work, over the same operations as every program of theirs. */
export async function serveDesk(scope: FastifyInstance, means: DeskMeans) {
  serveLook(scope, means)
  await scope.register(async (own) => servePages(own, means))
}

/** What all of its pages look like, and the scripts that keep them as they are now and move what is dragged: not of the pages' scope, of which nothing is kept. */
function serveLook(scope: FastifyInstance, { business }: DeskMeans) {
  const fixed = guarded('asset', open('the same for everybody'))
  for (const { path, script } of scripts) scope.get(path, fixed, script)
  scope.get(DESK_STYLE, fixed, async (request, reply) =>
    styleOf((await business.get())?.website?.accent)(request, reply),
  )
  for (const path of [...scripts.map(({ path }) => path), DESK_STYLE]) refuseOtherMethods(scope, path, ['GET'])
}

function servePages(scope: FastifyInstance, means: DeskMeans) {
  const options = pageRoute(means)
  pageScope(scope, means, undefined, sendDesk)
  const served = new Map<string, ('GET' | 'POST')[]>()
  scope.addHook('onRoute', ({ url, method }) => {
    const known = (['GET', 'POST'] as const).find((one) => one === method)
    if (known) served.set(url, [...(served.get(url) ?? []), known])
  })
  const get = (path: string, shown: (asking: Asking, id: string) => Promise<Answer>) =>
    scope.get<Booked>(path, options, async (request, reply) => {
      const who = await whoIsAtDesk(request, means)
      return answered(reply, who ? await shown({ who, request }, request.params.id) : outside(request), means)
    })
  const post = (path: string, done: (asking: Asking, id: string, reply: FastifyReply) => Promise<Answer>) =>
    scope.post<Booked>(path, options, async (request, reply) => {
      if (isForeign(request, means.config)) return answered(reply, forbidden(request.speech), means)
      const who = await whoIsAtDesk(request, means)
      return answered(reply, who ? await done({ who, request }, request.params.id, reply) : outside(request), means)
    })

  get('/desk', async (asking) => {
    const first = await unlessSetUp(asking, means)
    if (first) return first
    const query = queryOf(asking.request)
    return query.get('view') === 'week' ? weekPage(query, asking, means) : dayPage(query, asking, means)
  })
  for (const path of SETUP_PATHS) {
    get(path, (asking) => setupPage(asking, means))
    post(path, (asking) => setupChosen(asking, means))
  }
  post('/desk/columns', async ({ request }, _, reply) =>
    keepColumns(formOf(request), (await means.business.get()) ?? {}, reply, means),
  )
  get('/desk/book', (asking) => bookPage(queryOf(asking.request), asking, means))
  post('/desk/book', (asking) => bookChosen(formOf(asking.request), asking, means))
  get('/desk/away', (asking) => awayPage(queryOf(asking.request), asking, means))
  post('/desk/away', (asking) => awayChosen(formOf(asking.request), asking, means))
  get('/desk/inbox', (asking) => inboxPage(asking, means))
  post('/desk/inbox', (asking) => keepStranded(formOf(asking.request), asking, means))
  get('/desk/bookings', (asking) => bookingsPage(queryOf(asking.request), asking, means))
  get('/desk/bookings/:id', (asking, id) => bookingPage(id, asking, means))
  post('/desk/bookings/:id', (asking, id) => act(id, asking, means))
  get('/desk/bookings/:id/move', (asking, id) => movePage(id, queryOf(asking.request), asking, means))
  post('/desk/bookings/:id/move', (asking, id) => moveChosen(id, formOf(asking.request), asking, means))
  get('/desk/classes', (asking) => classesPage(queryOf(asking.request), asking, means))
  get('/desk/classes/:id', (asking, id) => classPage(id, asking, means))
  post('/desk/classes/:id', (asking, id) => changeClass(id, formOf(asking.request), asking, means))
  get('/desk/waitlist', (asking) => waitlistPage(queryOf(asking.request), asking, means))
  post('/desk/waitlist', (asking) => changeWaitlist(formOf(asking.request), asking, means))
  get('/desk/waitlist/:id', (asking, id) => offerPage(id, queryOf(asking.request), asking, means))
  get('/desk/blocks', (asking) => blocksPage(queryOf(asking.request), asking, means))
  post('/desk/blocks', (asking) => unblock(formOf(asking.request), asking, means))
  get('/desk/bookings/:id/series', (asking, id) => seriesPage(id, queryOf(asking.request), asking, means))
  post('/desk/bookings/:id/series', (asking, id) => seriesChosen(id, formOf(asking.request), asking, means))
  post('/desk/bookings/:id/length', (asking, id) => lengthChosen(id, formOf(asking.request), asking, means))
  post('/desk/bookings/:id/pay', (asking, id) => payChosen(id, formOf(asking.request), asking, means))
  get('/desk/bookings/:id/refund', (asking, id) => refundPage(id, undefined, asking, means))
  post('/desk/bookings/:id/refund', (asking, id) => refundPage(id, formOf(asking.request), asking, means))
  get('/desk/reports', (asking) => reportsPage(queryOf(asking.request), asking, means))
  get('/desk/money', (asking) => moneyPage(queryOf(asking.request), asking, means))
  get('/desk/bookings/:id/correct', (asking, id) => correctPage(id, asking, means))
  post('/desk/bookings/:id/correct', (asking, id) => corrected(id, formOf(asking.request), asking, means))
  post('/desk/bookings/:id/told', (asking, id) => toldAgain(id, formOf(asking.request), asking, means))
  get('/desk/customers', (asking) => customersPage(queryOf(asking.request), asking, means))
  get('/desk/customers/:id', (asking, id) => customerPage(id, asking, means))
  post('/desk/customers/:id', (asking, id) => customerChanged(id, formOf(asking.request), asking, means))
  get('/desk/devices', (asking) => devicesPage(asking, means))
  post('/desk/devices', async ({ who, request }) => {
    await staffSessionEnd(means.db, who.id, formOf(request).get('end') ?? '')
    return { to: '/desk/devices' }
  })
  post('/desk/leave', async ({ who }, _, reply) => {
    await signOut(who, reply, means)
    return { to: '/desk' }
  })

  scope.get<Link>('/desk/enter/:secret', options, async (request, reply) =>
    answered(reply, await enterPage(request, means), means),
  )
  scope.post<Link>('/desk/enter/:secret', options, async (request, reply) => {
    if (isForeign(request, means.config)) return answered(reply, forbidden(request.speech), means)
    const isIn = await signIn(request.params.secret, request, reply, means)
    return answered(reply, isIn ? { to: '/desk' } : outside(request, 404), means)
  })
  const csv = (path: string, fileOf: typeof moneyFile) =>
    scope.get(path, options, async (request, reply) => {
      const who = await whoIsAtDesk(request, means)
      const file = who && (await fileOf(queryOf(request), { who, request }, means))
      if (!file) return answered(reply, who ? forbidden(request.speech) : outside(request), means)
      return reply
        .type('text/csv; charset=utf-8; header=present')
        .header('content-disposition', `attachment; filename="${file.name}"`)
        .send(file.content)
    })
  csv('/desk/money.csv', moneyFile)
  csv('/desk/reports.csv', reportsFile)
  scope.get(DOWNLOAD, options, async (request, reply) => {
    const who = await whoIsAtDesk(request, means)
    return who ? download({ who, request }, reply, means) : answered(reply, outside(request), means)
  })
  const live = liveDesks(scope, means)
  scope.get('/desk/live', options, async (request, reply) => {
    const who = await whoIsAtDesk(request, means)
    // 204 tells a browser not to come again.
    if (!who || !live.hasRoom()) return reply.code(who ? 503 : 204).send()
    reply.hijack()
    reply.raw.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    live.add(reply.raw)
    return reply
  })

  for (const [path, methods] of [...served]) refuseOtherMethods(scope, path, methods)
}

const answered = (reply: FastifyReply, answer: Answer, means: DeskMeans) =>
  sendDesk(reply, answer ?? notFound(reply.request.speech), means)

/** How to get in, for whoever is not; the same whether a link was used, is too old or never was one. */
const outside = ({ speech }: FastifyRequest, status = 200): DeskView => ({
  status,
  title: speech.say('desk.title'),
  body: html`<p>${speech.say('desk.outside')}</p><pre>npm run usp -- staff link NAME</pre>`,
})

/** One button: a mail scanner that opens each link to look behind it presses none. */
async function enterPage(request: FastifyRequest<Link>, means: DeskMeans): Promise<DeskView> {
  const { say } = request.speech
  const name = await staffLinkFind(means.db, request.params.secret, means.clock())
  if (name === undefined) return outside(request, 404)
  return {
    status: 200,
    title: say('desk.title'),
    body: html`<p>${say('desk.enter.text', { name })}</p><form method="post"><button>${say('my.enter')}</button></form>`,
  }
}

/** Does what was pressed, and shows the booking as it is then. */
async function act(id: string, asking: Asking, means: DeskMeans): Promise<Answer> {
  const { speech } = asking.request
  const form = formOf(asking.request)
  const wanted = new Map(Object.entries(acts)).get(form.get('do') ?? '')
  if (!wanted || !may(asking.who, wanted.operation)) return forbidden(speech)
  const word = form.get('word')?.trim() ?? ''
  const input = { booking_id: id, ...(wanted.word && word !== '' && { [wanted.word]: word }) }
  try {
    const { refusal } = await ask(wanted.operation, input, asking, means)
    if (!refusal) return { to: `/desk/bookings/${encodeURIComponent(id)}` }
    return bookingPage(id, asking, means, { text: refusalText(refusal.code, speech, 'desk.refused'), isRefusal: true })
  } catch (error) {
    if (error instanceof ProtocolError && error.code === 'not_found') return undefined
    throw error
  }
}
