import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isOpenToBrowsers } from '../../core/business/definition-facts.ts'
import { newSecret } from '../../core/keys/encrypt-secrets.ts'
import type { Plan } from '../../domain/availability/service-scheduling-plan.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { refuseOtherMethods } from '../http/route-guards.ts'
import { forbidden } from '../pages/error-pages.ts'
import { hasSent, markSent } from '../pages/opened-booking-cookies.ts'
import { formOf, framedRoute, isForeign, pageScope, publicHeaders, queryOf, send } from '../pages/page-route-setup.ts'
import { details, hold, join, sendDetails, showService, showWaitlistForm } from './booking-steps.ts'
import { holdInCookie, setHoldCookie } from './current-hold.ts'
import { shownPlan } from './listed-services.ts'
import { notFoundPage } from './not-found-page.ts'
import { servicesPage } from './services-page.ts'
import type { BookDependencies, StepAnswer, StepRequest } from './step-request.ts'

type Named = { Params: { service: string } }
type Step = (plan: Plan, stepRequest: StepRequest, dependencies: BookDependencies) => StepAnswer

/**
 * Serves the booking pages. Search engines may index the pages with services and times, but not the pages with data of
 * buyers.
 */
export async function serveBook(scope: FastifyInstance, dependencies: BookDependencies) {
  await scope.register(async (framedScope) => serveFound(framedScope, dependencies))
  await scope.register(async (pageScope) => serveOwn(pageScope, dependencies))
  refuseOtherMethods(scope, '/book', ['GET'])
  refuseOtherMethods(scope, '/book/:service', ['GET', 'POST'])
  refuseOtherMethods(scope, '/book/:service/details', ['GET', 'POST'])
  refuseOtherMethods(scope, '/book/:service/waitlist', ['GET', 'POST'])
}

function serveFound(scope: FastifyInstance, dependencies: BookDependencies) {
  const options = framedRoute(dependencies)
  pageScope(scope, dependencies, publicHeaders)
  scope.get('/', options, async (request, reply) => {
    const definition = await opened(dependencies)
    return send(reply, definition ? { to: '/book' } : notFoundPage(request.localizer), dependencies)
  })
  scope.get('/book', options, async (request, reply) => {
    const definition = await opened(dependencies)
    if (!definition) return send(reply, notFoundPage(request.localizer), dependencies)
    const { localizer, peer } = request
    const stepRequest = { localizer, visit: { visitor: newSecret('visit'), peer } }
    return send(reply, await servicesPage(definition, queryOf(request), stepRequest, dependencies), dependencies)
  })
  scope.get<Named>('/book/:service', options, step(showService, dependencies))
  scope.post<Named>('/book/:service', options, step(hold, dependencies))
}

function serveOwn(scope: FastifyInstance, dependencies: BookDependencies) {
  const options = framedRoute(dependencies)
  pageScope(scope, dependencies)
  scope.get<Named>('/book/:service/details', options, step(details, dependencies))
  scope.post<Named>('/book/:service/details', options, step(sendDetails, dependencies))
  scope.get<Named>('/book/:service/waitlist', options, step(showWaitlistForm, dependencies))
  scope.post<Named>('/book/:service/waitlist', options, step(join, dependencies))
}

async function opened({ business }: BookDependencies): Promise<BusinessDefinition | undefined> {
  const definition = await business.get()
  return definition && isOpenToBrowsers(definition) ? definition : undefined
}

const step =
  (work: Step, dependencies: BookDependencies) => async (request: FastifyRequest<Named>, reply: FastifyReply) => {
    const definition = await opened(dependencies)
    const plan = definition && shownPlan(definition, request.params.service)
    if (!plan) return send(reply, notFoundPage(request.localizer, definition), dependencies)
    if (request.method === 'POST' && isForeign(request, dependencies.config))
      return send(reply, forbidden(request.localizer), dependencies)
    const { localizer, peer } = request
    const submitted = { query: queryOf(request), form: formOf(request), remembered: holdInCookie(request) }
    const stepRequest = { localizer, peer, ...submitted, hasSent: (id: string) => hasSent(request, dependencies, id) }
    const answer = await work(plan, stepRequest, dependencies)
    if (answer && 'to' in answer && answer.opened !== undefined)
      markSent(reply, dependencies, { bookingId: answer.opened, path: `/book/${plan.service.id}/details` })
    if (answer && 'to' in answer && answer.newHold)
      setHoldCookie(reply, dependencies, { ...answer.newHold, path: `/book/${plan.service.id}` })
    return send(reply, answer ?? notFoundPage(localizer, definition), dependencies)
  }
