import type { Localizer } from '../../infra/i18n/localizer.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { legalLinks } from '../business/business-links.ts'
import { contactChannelsOf } from '../business/contact-channels.ts'
import type { NotificationText } from './notification-text.ts'

/** Writes a notification as plain text, for mail programs without HTML and for the webhook. */
export function notificationAsText(
  { heading, paragraphs, rows = [], actions = [] }: NotificationText,
  localizer: Localizer,
): string {
  const table = rows.map(([name, value]) => `${name}: ${lines(value, localizer)}`).join('\n')
  const links = actions.map(({ label, url }) => `${label}:\n${url}`)
  return [heading, ...paragraphs, table, ...links].filter((part) => part !== '').join('\n\n')
}

/** Isolates the writing direction of each line separately, because a Unicode isolate ends at the end of its line. */
const lines = (value: string, { isolate }: Localizer): string => value.split('\n').map(isolate).join('\n  ')

export function mailText(letter: NotificationText, definition: BusinessDefinition, localizer: Localizer): string {
  const ways = contactChannelsOf(definition).map(({ text }) => localizer.isolate(text))
  const legal = legalLinks(definition, localizer).map(({ text, url }) => `${text}: ${url}`)
  // Mail programs treat the text below a line with two hyphens and a space as the signature.
  return `${notificationAsText(letter, localizer)}\n\n-- \n${[definition.business.name, ...ways, ...legal].join('\n')}\n`
}
