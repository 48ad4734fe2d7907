import type { Resource } from '@modelcontextprotocol/server'
import { shownPlans } from '../booking-flow/listed-services.ts'
import { aboutBusiness } from './about-business-tool.ts'
import { termsOf } from './booking-terms-text.ts'
import { VIEW_TYPE, VIEW_URI, viewOf } from './booking-view.ts'
import { findServices } from './find-services-tool.ts'
import { lines, quoted } from './quote-untrusted-text.ts'
import type { ToolContext } from './tool-definition.ts'

/**
 * The maximum number of services in the document about the terms of booking. For any other service, the tool
 * `service_details` returns the terms.
 */
const MOST = 50

/**
 * The MCP resources: documents that the server offers to assistants. The assistant's program shows these documents, or
 * a person attaches them to a question.
 */
export const resources: (Resource & { mimeType: string; read(toolContext: ToolContext): string | Promise<string> })[] =
  [
    {
      uri: VIEW_URI,
      name: 'view',
      title: 'Booking',
      mimeType: VIEW_TYPE,
      description: 'Shows services, free times and bookings.',
      // The booking view (an HTML page) loads no files. It only exchanges messages with the program that shows it.
      // Therefore its content security policy is empty.
      _meta: { ui: { csp: {}, prefersBorder: true } },
      read: ({ definition }) => viewOf(definition),
    },
    {
      uri: 'business://services',
      name: 'services',
      title: 'Services',
      mimeType: 'text/plain',
      description: 'The services that can be booked, with prices.',
      read: async (toolContext) => (await findServices.run({ limit: 20 }, toolContext)).text,
    },
    {
      uri: 'business://policies',
      name: 'policies',
      title: 'Terms',
      mimeType: 'text/plain',
      description: 'The terms of each service for paying, canceling and moving.',
      read: ({ definition }) =>
        lines(
          ...shownPlans(definition)
            .slice(0, MOST)
            .map((plan) => `- ${plan.service.id} ${quoted(plan.service.name)}: ${[...termsOf(plan)].join(' ')}`),
        ),
    },
    {
      uri: 'business://opening-hours',
      name: 'opening-hours',
      title: 'Opening hours',
      mimeType: 'text/plain',
      description: 'When and where the business is open, and how to reach it.',
      read: async (toolContext) => (await aboutBusiness.run({}, toolContext)).text,
    },
  ]
