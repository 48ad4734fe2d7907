import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isOpenToBrowsers } from '../../core/business/definition.ts'
import { newSecret } from '../../core/keys/secrets.ts'
import type { Plan } from '../../domain/availability/plan.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { refuseOtherMethods } from '../http/guards.ts'
import { hasSent, markSent } from '../pages/browser-marks.ts'
import { forbidden } from '../pages/failures.ts'
import { formOf, framedRoute, isForeign, pageScope, publicHeaders, queryOf, send } from '../pages/scope.ts'
import { holdInCookie, setHoldCookie } from './current-hold.ts'
import { notFoundPage } from './not-found-page.ts'
import { servicesPage } from './services-page.ts'
import { shownPlan } from './shown-services.ts'
import type { BookDependencies, StepAnswer, StepRequest } from './step-request.ts'
import { details, hold, join, sendDetails, showService, showWaitlistForm } from './steps.ts'

type Named = { Params: { service: string } }
type Step = (plan: Plan, asking: StepRequest, means: BookDependencies) => StepAnswer

/**
 * The booking pages. Search engines may index the pages with services and times. The pages with buyer data are private.
 */
export async function serveBook(scope: FastifyInstance, means: BookDependencies) {
  await scope.register(async (open) => serveFound(open, means))
  await scope.register(async (own) => serveOwn(own, means))
  refuseOtherMethods(scope, '/book', ['GET'])
  refuseOtherMethods(scope, '/book/:service', ['GET', 'POST'])
  refuseOtherMethods(scope, '/book/:service/details', ['GET', 'POST'])
  refuseOtherMethods(scope, '/book/:service/waitlist', ['GET', 'POST'])
}

function serveFound(scope: FastifyInstance, means: BookDependencies) {
  const options = framedRoute(means)
  pageScope(scope, means, publicHeaders)
  scope.get('/', options, async (request, reply) => {
    const definition = await opened(means)
    return send(reply, definition ? { to: '/book' } : notFoundPage(request.speech), means)
  })
  scope.get('/book', options, async (request, reply) => {
    const definition = await opened(means)
    if (!definition) return send(reply, notFoundPage(request.speech), means)
    const { speech, peer } = request
    const asking = { speech, visit: { visitor: newSecret('visit'), peer } }
    return send(reply, await servicesPage(definition, queryOf(request), asking, means), means)
  })
  scope.get<Named>('/book/:service', options, step(showService, means))
  scope.post<Named>('/book/:service', options, step(hold, means))
}

function serveOwn(scope: FastifyInstance, means: BookDependencies) {
  const options = framedRoute(means)
  pageScope(scope, means)
  scope.get<Named>('/book/:service/details', options, step(details, means))
  scope.post<Named>('/book/:service/details', options, step(sendDetails, means))
  scope.get<Named>('/book/:service/waitlist', options, step(showWaitlistForm, means))
  scope.post<Named>('/book/:service/waitlist', options, step(join, means))
}

async function opened({ business }: BookDependencies): Promise<BusinessDefinition | undefined> {
  const definition = await business.get()
  return definition && isOpenToBrowsers(definition) ? definition : undefined
}

const step = (work: Step, means: BookDependencies) => async (request: FastifyRequest<Named>, reply: FastifyReply) => {
  const definition = await opened(means)
  const plan = definition && shownPlan(definition, request.params.service)
  if (!plan) return send(reply, notFoundPage(request.speech, definition), means)
  if (request.method === 'POST' && isForeign(request, means.config))
    return send(reply, forbidden(request.speech), means)
  const { speech, peer } = request
  const asked = { query: queryOf(request), form: formOf(request), remembered: holdInCookie(request) }
  const asking = { speech, peer, ...asked, hasSent: (id: string) => hasSent(request, means, id) }
  const answer = await work(plan, asking, means)
  if (answer && 'to' in answer && answer.opened !== undefined)
    markSent(reply, means, { bookingId: answer.opened, path: `/book/${plan.service.id}/details` })
  if (answer && 'to' in answer && answer.kept)
    setHoldCookie(reply, means, { ...answer.kept, path: `/book/${plan.service.id}` })
  return send(reply, answer ?? notFoundPage(speech, definition), means)
}
