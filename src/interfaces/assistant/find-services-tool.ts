import { englishLocalizer } from '../../infra/i18n/localizer.ts'
import { shownPlans } from '../booking-flow/listed-services.ts'
import { matching } from '../booking-flow/services-page.ts'
import { SHARED_READER_VISIT } from './call-operation.ts'
import { serviceData, serviceText, serviceWords } from './describe-service.ts'
import { lines, momentText, quoted } from './quote-untrusted-text.ts'
import { defineTool } from './tool-definition.ts'

const USUAL = 8
const MOST = 20

export const findServices = defineTool<{ query?: string; skip?: number; limit?: number }>({
  name: 'find_services',
  title: 'Find services',
  description:
    'Services that can be booked here, with prices and ids. Start here. Without query: all services; with it ' +
    'the best matches, in any language, even if misspelled.',
  input: {
    properties: {
      query: { type: 'string', maxLength: 200, description: 'Words, such as haircut.' },
      limit: { type: 'integer', minimum: 1, maximum: MOST, default: USUAL },
      skip: {
        type: 'integer',
        minimum: 0,
        maximum: 10_000,
        default: 0,
        description: 'Number of services to skip in a long list.',
      },
    },
  },
  isShown: true,
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ query = '', limit = USUAL, skip = 0 }, { definition, peer, now, dependencies }) {
    const zone = definition.business.timezone
    const all = shownPlans(definition)
    const filter = {
      localizer: englishLocalizer(),
      visit: { binding: 'assistant' as const, visitor: SHARED_READER_VISIT, peer },
    }
    const found = query.trim() === '' ? all : await matching(all, query, filter, dependencies)
    const isMatch = found.length > 0
    const from = isMatch ? found : all
    const shown = from.slice(skip, skip + limit)
    const services = await Promise.all(shown.map((plan) => serviceData(plan, now)))
    const left = Math.max(0, from.length - skip - services.length)
    return {
      text: lines(
        `It is ${momentText(zone, now.getTime())} (${zone}) there.`,
        shown.length > 0 &&
          `Services of ${quoted(definition.business.name)}${isMatch ? '' : ', none of which matches those words'}:`,
        ...services.map(serviceText),
        shown.length === 0 &&
          from.length > 0 &&
          `There are ${from.length} in all: call find_services with a smaller skip.`,
        left > 0 && `${left} more: call find_services with skip=${skip + services.length}.`,
        shown.length > 0 && 'Next: call find_times with service_ids, or service_details for terms.',
      ),
      data: { services, matches: isMatch, more: left },
      words: await serviceWords(shown, now),
    }
  },
})
