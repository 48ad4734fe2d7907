import type { FastifyInstance } from 'fastify'
import { blank, countryOf } from '../booking-flow/buyer-form.ts'
import { refuseOtherMethods } from '../http/route-guards.ts'
import { forbidden, notFound } from '../pages/error-pages.ts'
import type { Answer } from '../pages/page-layout.ts'
import { formOf, framedRoute, isForeign, pageScope, send } from '../pages/page-route-setup.ts'
import { acceptOffered, leaveOrDecline } from './answer-offer.ts'
import { confirmWayOut, isWayOut } from './confirm-leaving-waitlist.ts'
import { type EntryContext, openEntry, type WaitlistPageDependencies } from './load-entry-page-context.ts'
import { offerPage } from './offer-page.ts'
import { entryPage } from './waitlist-entry-page.ts'

const PATH = '/waiting/:id/:secret'
const WAYS = `${PATH}/:way`

type Address = { Params: { id: string; secret: string; way?: string } }

export function serveWaiting(scope: FastifyInstance, dependencies: WaitlistPageDependencies) {
  const options = framedRoute(dependencies)
  pageScope(scope, dependencies)
  for (const path of [PATH, WAYS]) {
    scope.get<Address>(path, options, async (request, reply) => {
      const context = await openEntry(dependencies, request, request.params)
      const answer = context && (await shown(context, request.params.way, dependencies))
      return send(reply, answer ?? notFound(request.localizer), dependencies)
    })
    scope.post<Address>(path, options, async (request, reply) => {
      const context = await openEntry(dependencies, request, request.params)
      if (!context) return send(reply, notFound(request.localizer), dependencies)
      if (isForeign(request, dependencies.config)) return send(reply, forbidden(request.localizer), dependencies)
      const answer = await done(context, request.params.way, formOf(request), dependencies)
      return send(reply, answer ?? notFound(request.localizer), dependencies)
    })
    refuseOtherMethods(scope, path, ['GET', 'POST'])
  }
}

async function shown(
  context: EntryContext,
  way: string | undefined,
  dependencies: WaitlistPageDependencies,
): Promise<Answer | undefined> {
  if (way !== undefined) return isWayOut(way) ? confirmWayOut(context, way, dependencies.tag) : undefined
  const { entry, definition, localizer } = context
  const isOffered = entry.status === 'offered'
  const offer = isOffered && (await offerPage(context, dependencies, blank(countryOf(definition, localizer.locale))))
  return offer || entryPage(context, dependencies)
}

const done = async (
  context: EntryContext,
  way: string | undefined,
  form: URLSearchParams,
  dependencies: WaitlistPageDependencies,
) => {
  if (way === undefined) return acceptOffered(context, form, dependencies)
  return isWayOut(way) ? leaveOrDecline(context, way, form, dependencies) : undefined
}
