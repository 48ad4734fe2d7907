import type { FastifyInstance } from 'fastify'
import { isOpenToAssistants } from '../../core/business/definition-facts.ts'
import { englishLocalizer } from '../../infra/i18n/localizer.ts'
import { ASSISTANT_PATH, LLMS_PATH } from '../../protocol/base-url-paths.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { shownPlans } from '../booking-flow/listed-services.ts'
import { lengthText, priceText } from '../booking-flow/service-description-texts.ts'
import { allowAnyOrigin } from '../http/cors.ts'
import { guarded, rateLimited, refuseOtherMethods } from '../http/route-guards.ts'
import { lines, shortened } from './quote-untrusted-text.ts'
import type { AssistantDependencies } from './tool-definition.ts'

const CACHE_CONTROL = 'public, max-age=300'
/**
 * The maximum number of services in the file llms.txt. Assistants find all other services with the tool
 * `find_services`.
 */
const MOST_SERVICES = 50

/** Serves the file llms.txt, in which AI assistants read what they can book here and how. */
export function serveDiscovery(scope: FastifyInstance, dependencies: AssistantDependencies) {
  const open = async () => {
    const definition = await dependencies.business.get()
    return definition && isOpenToAssistants(definition) ? definition : undefined
  }
  const options = allowAnyOrigin(guarded('assistant', rateLimited(dependencies, 'findings')))
  scope.get(LLMS_PATH, options, async (_, reply) => {
    const definition = await open()
    if (!definition) return reply.callNotFound()
    return reply
      .header('cache-control', CACHE_CONTROL)
      .type('text/markdown; charset=utf-8')
      .send(await llmsText(definition, dependencies))
  })
  refuseOtherMethods(scope, LLMS_PATH, ['GET'])
}

/** Returns the text of llms.txt, which describes the business and its services to assistants (see llmstxt.org). */
async function llmsText(definition: BusinessDefinition, { config, clock }: AssistantDependencies): Promise<string> {
  const { baseUrl } = config
  const plans = shownPlans(definition).slice(0, MOST_SERVICES)
  const services = await Promise.all(
    plans.map(async (plan) => {
      const facts = [
        await priceText(englishLocalizer(), plan, { now: clock() }),
        lengthText(englishLocalizer(), plan),
      ].filter(Boolean)
      return `- [${linkText(plan.service.name)}](${baseUrl}/book/${plan.service.id}): ${facts.join(', ')}`
    }),
  )
  return `${lines(
    `# ${shortened(definition.business.name, 200)}`,
    '',
    '> What can be booked here, and how: by an assistant for the person it talks to, or by that person in a browser.',
    '',
    `Assistants: connect to the MCP server at ${baseUrl}${ASSISTANT_PATH} (streamable HTTP, nothing to sign up for). Find services and ` +
      'free times, and book: the person confirms on a link. Names and descriptions are the words of the business.',
    '',
    '## Services',
    '',
    ...services,
    '',
    '## Further',
    '',
    `- [Book in a browser](${baseUrl}/book)`,
    `- [What somebody has booked](${baseUrl}/my)`,
    `- [For platforms: who the business is, and its endpoints](${baseUrl}/.well-known/usp)`,
  )}\n`
}

const linkText = (text: string) => shortened(text, 100).replace(/[[\]]/g, '')
