import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { englishLocalizer, type Localizer, localizerFor } from '../../infra/i18n/localizer.ts'
import { html } from '../../infra/util/html-template.ts'
import { fixedAnswer } from '../http/fixed-response.ts'
import { guarded, refuseOtherMethods, withoutGuard } from '../http/route-guards.ts'
import { ICON_PATH } from '../pages/site-icon.ts'
import type { DeskDependencies } from './call-operation-as-staff.ts'
import type { DeskView } from './desk-page.ts'

const MANIFEST = '/desk/app.webmanifest'
const WORKER = '/desk/worker.js'
export const OFFLINE_PAGE = '/desk/offline'

export const MANIFEST_LINK = html`<link rel="manifest" href="${MANIFEST}">`

const worker = fixedAnswer({
  type: 'text/javascript; charset=utf-8',
  content: readFileSync(new URL('browser/worker.js', import.meta.url)),
  maxAgeSeconds: 0,
})

/** Serves the files that let phones and computers install the desk (the staff pages) as an app. */
export function serveInstallableApp(scope: FastifyInstance, { business }: DeskDependencies) {
  const guards = guarded('asset', withoutGuard('the same for everybody'))
  scope.get(MANIFEST, guards, async (_, reply) => {
    const definition = await business.get()
    const { say } = localizerFor(definition?.business.language ?? 'en') ?? englishLocalizer()
    const name = definition?.business.name ?? say('desk.title')
    const manifest = {
      id: '/desk',
      name: `${name} – ${say('desk.title')}`,
      short_name: name,
      start_url: '/desk',
      scope: '/desk',
      display: 'standalone',
      icons: [{ src: ICON_PATH, sizes: 'any', type: 'image/svg+xml' }],
    }
    return reply.type('application/manifest+json').header('cache-control', 'no-cache').send(manifest)
  })
  scope.get(WORKER, guards, (request, reply) => {
    // The path of the service worker is longer than `/desk`. Without this header, the browser would not let the worker
    // handle the page `/desk`.
    reply.header('service-worker-allowed', '/desk')
    reply.header('content-security-policy', "default-src 'none'; connect-src 'self'")
    return worker(request, reply)
  })
  for (const path of [MANIFEST, WORKER]) refuseOtherMethods(scope, path, ['GET'])
}

/** The page that the service worker stores and shows while the device is offline. */
export const offlinePage = ({ say }: Localizer): DeskView => ({
  status: 200,
  title: say('desk.offline'),
  body: html`<p>${say('desk.offline.text')}</p>
<p><a class="button" href="/desk">${say('desk.offline.again')}</a></p>`,
})
