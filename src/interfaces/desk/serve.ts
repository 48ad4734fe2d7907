import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { canHavePasskeys, loadPasskeys } from '../../core/authentication/webauthn-passkeys.ts'
import { readTakings } from '../../domain/desk/money/get-takings.ts'
import { readReports } from '../../domain/desk/reports/read-reports.ts'
import { memoize } from '../../infra/util/memoize.ts'
import type { Operation } from '../../protocol/define-operation.ts'
import { fixedAnswer } from '../http/fixed-response.ts'
import { guarded, refuseOtherMethods, withoutGuard } from '../http/route-guards.ts'
import { forbidden, notFound } from '../pages/error-pages.ts'
import { isForeign, pageRoute, pageScope, queryOf } from '../pages/page-route-setup.ts'
import { type DeskDependencies, type DeskRequest, isAllowed, missingRolePage } from './call-operation-as-staff.ts'
import { serveCompanySignIn } from './company-sign-in.ts'
import { type Answer, countInbox, DESK_SCRIPTS, DESK_STYLE, type PageState, sendDesk } from './desk-page.ts'
import { deskPages } from './desk-routes.ts'
import { deskStyle } from './desk-style.ts'
import { OFFLINE_PAGE, offlinePage, serveInstallableApp } from './installable-app.ts'
import { liveDesks } from './live-updates.ts'
import { acceptPictureUploads, pictureUploadRoute } from './picture-upload.ts'
import { keepPushLanguage } from './push-notification-settings.ts'
import { reportsFile } from './reports-csv-file.ts'
import { DOWNLOAD, download } from './setup/yaml-page.ts'
import { serveSignIn, signInPage } from './sign-in-pages.ts'
import { findSignedInStaff } from './staff-browser-session.ts'
import { makeSubmitOnce } from './submit-form-once.ts'
import { takingsFile } from './takings-page.ts'

type Booked = { Params: { id: string } }

const caching = { maxAgeSeconds: 300, isPrivate: true }
const scripts = DESK_SCRIPTS.map((path) => ({
  path,
  script: fixedAnswer({
    ...caching,
    type: 'text/javascript; charset=utf-8',
    content: readFileSync(new URL(`browser/${basename(path)}`, import.meta.url)),
  }),
}))
const styleOf = memoize(20, (accent: string | undefined) =>
  fixedAnswer({ ...caching, type: 'text/css; charset=utf-8', content: deskStyle(accent) }),
)

export async function serveDesk(scope: FastifyInstance, dependencies: DeskDependencies) {
  serveStyleAndScripts(scope, dependencies)
  serveInstallableApp(scope, dependencies)
  if (canHavePasskeys(dependencies.config)) await loadPasskeys()
  await scope.register(async (pageScope) => {
    servePages(pageScope, dependencies)
    if (dependencies.config.mode !== 'development') return
    const { serveDesignPages } = await import('./design/serve-design-pages.ts')
    serveDesignPages(pageScope, dependencies)
  })
}

/**
 * Serves the style sheet and the scripts of the desk (the staff pages). The pages themselves must not be cached.
 * Therefore these routes are outside of the Fastify scope of the pages.
 */
function serveStyleAndScripts(scope: FastifyInstance, { business }: DeskDependencies) {
  const fixed = guarded('asset', withoutGuard('the same for everybody'))
  for (const { path, script } of scripts) scope.get(path, fixed, script)
  scope.get(DESK_STYLE, fixed, async (request, reply) =>
    styleOf((await business.get())?.website?.accent)(request, reply),
  )
  for (const path of [...scripts.map(({ path }) => path), DESK_STYLE]) refuseOtherMethods(scope, path, ['GET'])
}

function servePages(scope: FastifyInstance, dependencies: DeskDependencies) {
  const options = pageRoute(dependencies)
  pageScope(scope, dependencies, undefined, (reply, answer) => sendDesk(reply, answer, dependencies))
  acceptPictureUploads(scope)
  const uploadOptions = pictureUploadRoute(dependencies)
  const live = liveDesks(scope, dependencies)
  const submit = makeSubmitOnce(dependencies)
  const served = new Map<string, ('GET' | 'POST')[]>()
  scope.addHook('onRoute', ({ url, method }) => {
    const servedMethod = (['GET', 'POST'] as const).find((one) => one === method)
    if (servedMethod) served.set(url, [...(served.get(url) ?? []), servedMethod])
  })
  for (const [path, { handleStranger, handleGet, handlePost, takesPicture }] of Object.entries(
    deskPages(dependencies),
  )) {
    if (handleGet)
      scope.get<Booked>(path, options, async (request, reply) => {
        const answerToStranger = await handleStranger?.(request)
        if (answerToStranger) return sendAnswer(reply, answerToStranger, dependencies)
        const who = await findSignedInStaff(request, dependencies)
        if (!who) return sendAnswer(reply, await signInPage(request, dependencies), dependencies)
        const deskRequest = { who, request }
        await keepPushLanguage(deskRequest, dependencies)
        // The server reads the id of the newest change before the data of the page. If another change happens while the
        // server builds the page, the live stream reports that change.
        const newest = await live.newest()
        const [answer, waiting] = await Promise.all([
          handleGet(deskRequest, request.params.id),
          countInbox(deskRequest, dependencies),
        ])
        return sendAnswer(reply, orNotFoundPage(answer, deskRequest), dependencies, { waiting, newest })
      })
    if (handlePost)
      scope.post<Booked>(path, takesPicture ? uploadOptions : options, async (request, reply) => {
        if (isForeign(request, dependencies.config))
          return sendAnswer(reply, forbidden(request.localizer), dependencies)
        const who = await findSignedInStaff(request, dependencies)
        if (!who) return sendAnswer(reply, await signInPage(request, dependencies), dependencies)
        const deskRequest = { who, request }
        const answer = await submit(deskRequest, reply, (one) => handlePost(one, request.params.id, reply))
        return sendAnswer(reply, orNotFoundPage(answer, deskRequest), dependencies)
      })
  }
  scope.get(OFFLINE_PAGE, options, (request, reply) => {
    // The service worker compares this language with the language of the open page.
    reply.header('content-language', request.localizer.locale)
    return sendAnswer(reply, offlinePage(request.localizer), dependencies)
  })
  serveSignIn(scope, dependencies)
  serveCompanySignIn(scope, dependencies)
  const csv = (path: string, operation: Operation, fileOf: typeof takingsFile) =>
    scope.get(path, options, async (request, reply) => {
      const who = await findSignedInStaff(request, dependencies)
      if (!who) return sendAnswer(reply, await signInPage(request, dependencies), dependencies)
      if (!isAllowed(who, operation))
        return sendAnswer(reply, missingRolePage(operation, { who, request }), dependencies)
      const file = await fileOf(queryOf(request), { who, request }, dependencies)
      if (!file) return sendAnswer(reply, undefined, dependencies)
      return reply
        .type('text/csv; charset=utf-8; header=present')
        .header('content-disposition', `attachment; filename="${file.name}"`)
        .send(file.content)
    })
  csv('/desk/money.csv', readTakings, takingsFile)
  csv('/desk/reports.csv', readReports, reportsFile)
  scope.get(DOWNLOAD, options, async (request, reply) => {
    const who = await findSignedInStaff(request, dependencies)
    return who
      ? download({ who, request }, reply, dependencies)
      : sendAnswer(reply, await signInPage(request, dependencies), dependencies)
  })
  scope.get('/desk/live', options, async (request, reply) => {
    const who = await findSignedInStaff(request, dependencies)
    // If no staff member is signed in, the status 204 tells the browser not to reconnect to the live stream. The status
    // 503 means that too many live streams are open.
    if (!who || !live.canConnect(who.id)) return reply.code(who ? 503 : 204).send()
    reply.hijack()
    reply.raw.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    const seen = request.headers['last-event-id']?.toString() ?? queryOf(request).get('seen') ?? undefined
    live.add(reply.raw, { staffId: who.id, seen })
    return reply
  })

  for (const [path, methods] of [...served]) refuseOtherMethods(scope, path, methods)
}

/**
 * If a desk page does not exist, returns the page "not found". This page has the desk menu, because the staff member is
 * signed in.
 */
const orNotFoundPage = (answer: Answer, { who, request }: DeskRequest): Answer =>
  answer ?? { ...notFound(request.localizer), who }

const sendAnswer = (reply: FastifyReply, answer: Answer, dependencies: DeskDependencies, now?: PageState) =>
  sendDesk(reply, answer ?? notFound(reply.request.localizer), dependencies, now)
