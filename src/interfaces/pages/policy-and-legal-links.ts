import { isLegal, legalLinks, type ReadableLink, readableLinks } from '../../core/business/business-links.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { BusinessDefinition, ServiceDefinition } from '../../protocol/types.generated.ts'

const anchor = ({ text, url }: ReadableLink): Content => html`<a href="${url}" rel="noreferrer">${text}</a>`

/**
 * Returns list items with links to pages about the service and the business, such as their policies. The list leaves
 * out the legal links, because the footer contains them.
 */
export const policyItems = (
  service: ServiceDefinition | undefined,
  { business }: BusinessDefinition,
  localizer: Localizer,
): Content[] => {
  const links = [...(service?.links ?? []), ...(business.links ?? []).filter((link) => !isLegal(link))]
  return readableLinks(links, localizer).map((link) => html`<li>${anchor(link)}</li>`)
}

export function legalList(definition: BusinessDefinition | undefined, localizer: Localizer): Content {
  const links = definition ? legalLinks(definition, localizer) : []
  if (links.length === 0) return undefined
  return html`<nav aria-label="${localizer.say('page.legal')}"><ul>${links.map((link) => html`<li>${anchor(link)}</li>`)}</ul></nav>`
}

export function legalLine(definition: BusinessDefinition, localizer: Localizer): Content {
  const links = legalLinks(definition, localizer)
  return links.length > 0 && html`<p class="soft">${links.map((link, index) => [index > 0 && ' · ', anchor(link)])}</p>`
}
