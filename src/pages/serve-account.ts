import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuseOtherMethods } from '../bindings/other-methods.ts'
import type { BuyerAccount } from '../oauth/buyer-accounts.ts'
import { linksOf, unlink } from '../oauth/links.ts'
import { refuseUnlessLinking } from '../oauth/serve.ts'
import { signIn } from '../oauth/sign-in.ts'
import { VISIT_SECONDS, visitBegin, visitEnd, visitorOf } from '../oauth/visits.ts'
import type { Runtime } from '../runtime.ts'
import { accountView } from './account.ts'
import { forbidden } from './failures.ts'
import { isForeign } from './same-origin.ts'
import { formOf, options, pageScope, send } from './scope.ts'
import { signInView } from './sign-in.ts'

const PATH = '/account'
const COOKIE = 'usp_account'
const WHY = 'Sign in to see which apps may act for you here, and to end that.'

/** Where a buyer sees which platforms act for them, and ends that at any time. */
export function serveAccount(app: FastifyInstance, runtime: Runtime) {
  const { db, clock } = runtime
  const visitor = (request: FastifyRequest) => visitorOf(db, secretOf(request), clock())
  pageScope(app, runtime, (scope) => {
    scope.addHook('onRequest', () => refuseUnlessLinking(runtime))
    scope.get(PATH, options, async (request, reply) => {
      const buyer = await visitor(request)
      return send(reply, buyer ? await shown(buyer, runtime) : signInView({ why: WHY }), runtime)
    })
    scope.post(PATH, options, async (request, reply) => {
      if (isForeign(request, runtime.config)) return send(reply, forbidden, runtime)
      const buyer = await visitor(request)
      return buyer ? change(buyer, request, reply, runtime) : enter(request, reply, runtime)
    })
    refuseOtherMethods(scope, PATH, ['GET', 'POST'])
  })
}

async function enter(request: FastifyRequest, reply: FastifyReply, runtime: Runtime) {
  const form = formOf(request)
  const entry = await signIn(form, request.ip, runtime)
  if ('note' in entry) {
    const email = form.get('email') ?? ''
    return send(reply, signInView({ why: WHY, note: entry.note, email }), runtime)
  }
  keep(reply, await visitBegin(runtime.db, entry.account, runtime.clock()), VISIT_SECONDS, runtime)
  return send(reply, { to: PATH }, runtime)
}

async function change(buyer: BuyerAccount, request: FastifyRequest, reply: FastifyReply, runtime: Runtime) {
  const form = formOf(request)
  if (form.get('do') === 'unlink') await unlink(runtime.db, buyer.id, form.get('client') ?? '')
  if (form.get('do') === 'leave') {
    await visitEnd(runtime.db, secretOf(request))
    keep(reply, '', 0, runtime)
  }
  return send(reply, { to: PATH }, runtime)
}

async function shown(buyer: BuyerAccount, { db, config, clock, business }: Runtime) {
  const zone = (await business.get())?.business.timezone ?? 'UTC'
  return accountView(buyer.name, await linksOf(db, buyer.id, config.baseUrl, clock()), zone)
}

const secretOf = ({ headers }: FastifyRequest): string =>
  (headers.cookie ?? '')
    .split(/; */)
    .find((one) => one.startsWith(`${COOKIE}=`))
    ?.slice(COOKIE.length + 1) ?? ''

/** Sent from our own pages alone, and read by no script. */
function keep(reply: FastifyReply, secret: string, seconds: number, { config }: Runtime) {
  const secure = config.baseUrl.startsWith('https:') ? '; Secure' : ''
  reply.header(
    'set-cookie',
    `${COOKIE}=${secret}; Path=${PATH}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`,
  )
}
