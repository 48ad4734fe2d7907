import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SignedInStaff } from '../../../core/authentication/staff-sessions.ts'
import { html } from '../../../infra/util/html-template.ts'
import { fixedAnswer } from '../../http/fixed-response.ts'
import { guarded, refuseOtherMethods, withoutGuard } from '../../http/route-guards.ts'
import { pageRoute, send } from '../../pages/page-route-setup.ts'
import type { DeskDependencies } from '../call-operation-as-staff.ts'
import { sendDesk } from '../desk-page.ts'
import { findSignedInStaff } from '../staff-browser-session.ts'
import { designBody } from './component-group.ts'

const DESK_PATH = '/desk/design'
const BUYERS_PATH = '/desk/design/buyers'
const STYLE_PATH = '/desk/design.css'

const style = fixedAnswer({
  type: 'text/css; charset=utf-8',
  content: readFileSync(new URL('../browser/design.css', import.meta.url)),
  maxAgeSeconds: 0,
  isPrivate: true,
})

/**
 * Serves the pages that show all components in all their states, for contributors. The pages exist only on a
 * development server. Each staff member who is signed in may open them, because they contain no data of the business.
 * The server loads the components at the first request, so that it starts as fast as without them.
 */
export function serveDesignPages(scope: FastifyInstance, dependencies: DeskDependencies): void {
  const staffPage = (
    path: string,
    answer: (who: SignedInStaff, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ) =>
    scope.get(path, { ...pageRoute(dependencies), onSend: withoutForms }, async (request, reply) => {
      const who = await findSignedInStaff(request, dependencies)
      return who ? answer(who, request, reply) : reply.redirect('/desk', 303)
    })

  staffPage(DESK_PATH, async (who, request, reply) => {
    const { deskComponents } = await import('./desk-components.ts')
    const body = html`<link rel="stylesheet" href="${STYLE_PATH}">${designBody(await deskComponents({ who, request }), BUYERS_PATH)}`
    return sendDesk(reply, { status: 200, title: 'Design', who, layout: 'wide', body }, dependencies)
  })
  staffPage(BUYERS_PATH, async (_, request, reply) => {
    const { buyerComponents } = await import('./buyer-components.ts')
    const body = designBody(await buyerComponents(request.localizer, dependencies), DESK_PATH)
    return send(reply, { status: 200, title: 'Design', wide: true, body }, dependencies)
  })
  scope.get(STYLE_PATH, guarded('asset', withoutGuard('the same for everybody')), style)
  for (const path of [DESK_PATH, BUYERS_PATH, STYLE_PATH]) refuseOtherMethods(scope, path, ['GET'])
}

/**
 * Forbids the browser to send the forms of the page. They are the forms of the real pages, and one of them removes the
 * demo data.
 */
async function withoutForms(_: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const policy = String(reply.getHeader('content-security-policy'))
  reply.header('content-security-policy', policy.replace("form-action 'self'", "form-action 'none'"))
  return payload
}
