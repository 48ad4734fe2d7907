import type { Localizer } from '../../infra/i18n/localizer.ts'
import { html } from '../../infra/util/html-template.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { notFound } from '../pages/error-pages.ts'
import type { View } from '../pages/page-layout.ts'

export const allServicesLink = ({ business: { name } }: BusinessDefinition, { say }: Localizer) =>
  html`<p><a class="way" href="/book">${say('book.others', { business: name })}</a></p>`

export function notFoundPage(localizer: Localizer, definition?: BusinessDefinition): View {
  const view = notFound(localizer)
  return definition ? { ...view, body: html`${view.body}${allServicesLink(definition, localizer)}` } : view
}
