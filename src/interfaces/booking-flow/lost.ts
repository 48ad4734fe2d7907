import type { Speech } from '../../infra/i18n/speech.ts'
import { html } from '../../infra/util/html.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { notFound } from '../pages/failures.ts'
import type { View } from '../pages/layout.ts'

export const allServices = ({ business: { name } }: BusinessDefinition, { say }: Speech) =>
  html`<p><a class="way" href="/book">${say('book.others', { business: name })}</a></p>`

export function lost(speech: Speech, definition?: BusinessDefinition): View {
  const view = notFound(speech)
  return definition ? { ...view, body: html`${view.body}${allServices(definition, speech)}` } : view
}
