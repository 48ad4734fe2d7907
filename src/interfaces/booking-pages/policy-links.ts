import { type Content, html } from '../../infra/util/html.ts'
import { policyItems } from '../pages/policy-items.ts'
import type { PageContext } from './page-context.ts'

export function policyLinks({ booking, definition, speech }: PageContext): Content {
  const service = definition.services.find(({ id }) => id === booking.service_id)
  const items = policyItems(service, definition, speech)
  return items.length > 0 && html`<h2>${speech.say('booking.links')}</h2><ul class="reach">${items}</ul>`
}
