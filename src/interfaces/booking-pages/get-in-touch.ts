import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { contactLinks } from '../pages/contact.ts'

export function getInTouch({ definition, speech }: { definition: BusinessDefinition; speech: Localizer }): Content {
  const links = contactLinks(definition)
  return html`<p>${speech.say('booking.get_in_touch', { business: definition.business.name })}</p>
${links.length > 0 && html`<ul class="reach">${links.map((link) => html`<li>${link}</li>`)}</ul>`}`
}
