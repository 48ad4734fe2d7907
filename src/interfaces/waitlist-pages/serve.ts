import type { FastifyInstance } from 'fastify'
import { blank, countryOf } from '../booking-flow/buyer-form.ts'
import { refuseOtherMethods } from '../http/guards.ts'
import { forbidden, notFound } from '../pages/failures.ts'
import type { Answer } from '../pages/layout.ts'
import { formOf, framedRoute, isForeign, pageScope, send } from '../pages/scope.ts'
import { acceptOffered, leaveOrDecline } from './answer-offer.ts'
import { confirmWayOut, isWayOut } from './confirm-way-out.ts'
import { type EntryContext, openEntry, type WaitlistPageDependencies } from './entry-context.ts'
import { entryPage } from './entry-page.ts'
import { offerPage } from './offer-page.ts'

const PATH = '/waiting/:id/:secret'
const WAYS = `${PATH}/:way`

type Address = { Params: { id: string; secret: string; way?: string } }

export function serveWaiting(scope: FastifyInstance, means: WaitlistPageDependencies) {
  const options = framedRoute(means)
  pageScope(scope, means)
  for (const path of [PATH, WAYS]) {
    scope.get<Address>(path, options, async (request, reply) => {
      const context = await openEntry(means, request, request.params)
      const answer = context && (await shown(context, request.params.way, means))
      return send(reply, answer ?? notFound(request.speech), means)
    })
    scope.post<Address>(path, options, async (request, reply) => {
      const context = await openEntry(means, request, request.params)
      if (!context) return send(reply, notFound(request.speech), means)
      if (isForeign(request, means.config)) return send(reply, forbidden(request.speech), means)
      const answer = await done(context, request.params.way, formOf(request), means)
      return send(reply, answer ?? notFound(request.speech), means)
    })
    refuseOtherMethods(scope, path, ['GET', 'POST'])
  }
}

async function shown(
  context: EntryContext,
  way: string | undefined,
  means: WaitlistPageDependencies,
): Promise<Answer | undefined> {
  if (way !== undefined) return isWayOut(way) ? confirmWayOut(context, way, means.tag) : undefined
  const { entry, definition, speech } = context
  const isOffered = entry.status === 'offered'
  const offer = isOffered && (await offerPage(context, means, blank(countryOf(definition, speech.locale))))
  return offer || entryPage(context, means)
}

const done = async (
  context: EntryContext,
  way: string | undefined,
  form: URLSearchParams,
  means: WaitlistPageDependencies,
) => {
  if (way === undefined) return acceptOffered(context, form, means)
  return isWayOut(way) ? leaveOrDecline(context, way, form, means) : undefined
}
