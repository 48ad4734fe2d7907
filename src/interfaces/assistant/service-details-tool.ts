import { readableLinks } from '../../core/business/business-links.ts'
import { localTexts } from '../../domain/catalog/localized-texts.ts'
import { englishLocalizer } from '../../infra/i18n/localizer.ts'
import { termsOf } from './booking-terms-text.ts'
import { serviceData, serviceOf, serviceText } from './describe-service.ts'
import { lines, quoted, shortened } from './quote-untrusted-text.ts'
import { defineTool } from './tool-definition.ts'

const LONGEST = 1500
const MOST_LINKS = 10

export const serviceDetails = defineTool<{ service_id: string }>({
  name: 'service_details',
  title: 'Service details',
  description: 'One service with its whole description and its terms: payment, canceling, moving, required data.',
  input: {
    required: ['service_id'],
    properties: { service_id: { type: 'string', maxLength: 100, description: 'From find_services.' } },
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ service_id }, toolContext) {
    const plan = serviceOf(toolContext, service_id)
    const data = await serviceData(plan, toolContext.now, LONGEST)
    const { instructions } = localTexts(plan.service, '')
    const terms = [...termsOf(plan)]
    const { links = [] } = plan.service
    const pages = readableLinks([...links, ...(plan.business.business.links ?? [])], englishLocalizer()).slice(
      0,
      MOST_LINKS,
    )
    return {
      text: lines(
        serviceText(data),
        `Terms: ${terms.join(' ')}`,
        instructions !== undefined && `To those who come: ${quoted(instructions, LONGEST)}`,
        ...pages.map(({ text, url }) => `${quoted(text)}: ${url}`),
        `Next: call find_times with service_ids=["${service_id}"].`,
      ),
      data: {
        ...data,
        terms,
        their_words: {
          ...data.their_words,
          ...(instructions !== undefined && { instructions: shortened(instructions, LONGEST) }),
        },
        links: pages,
      },
    }
  },
})
