import { type ContactChannel, contactChannelsOf } from '../../core/business/contact-channels.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

export const contactLinks = (definition: BusinessDefinition | undefined): Content[] =>
  definition ? contactChannelsOf(definition).map((way) => contactLink(way, definition.business.name)) : []

function contactLink({ by, text, href }: ContactChannel, business: string): Content {
  switch (by) {
    case 'phone':
      return html`<a href="${href}" dir="ltr">${text}</a>`
    case 'email':
      return html`<a href="${href}">${text}</a>`
    case 'address':
      // With `dir="auto"`, the browser chooses the text direction of the address. Otherwise, right-to-left pages would
      // move the house number at the start of the address to the end.
      return html`<span dir="auto">${text}</span>`
    case 'website':
      return html`<a href="${href}" rel="noreferrer">${business}</a>`
  }
}

export function contactList(definition: BusinessDefinition | undefined, title: string): Content {
  const links = contactLinks(definition)
  if (links.length === 0) return undefined
  return html`<nav class="contact" aria-label="${title}"><ul>${links.map((link) => html`<li>${link}</li>`)}</ul></nav>`
}

export function getInTouch({
  definition,
  localizer,
}: {
  definition: BusinessDefinition
  localizer: Localizer
}): Content {
  const links = contactLinks(definition)
  return html`<p>${localizer.say('booking.get_in_touch', { business: definition.business.name })}</p>
${links.length > 0 && html`<ul class="reach">${links.map((link) => html`<li>${link}</li>`)}</ul>`}`
}
