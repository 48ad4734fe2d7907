import { preferredTimesText } from '../../domain/waitlist/preferred-times-text.ts'
import { momentText } from '../../infra/i18n/format-times.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { Tag } from '../../protocol/keyed-digest.ts'
import { namesOf } from '../booking-flow/service-description-texts.ts'
import { textWithLang } from '../pages/mark-untranslated-text.ts'
import { type Fact, facts } from '../pages/name-value-list.ts'
import type { EntryContext } from './load-entry-page-context.ts'

export function aboutEntry({ entry, definition, plan, localizer }: EntryContext, tag: Tag): Content {
  const { say } = localizer
  const zone = definition.business.timezone
  const { name = '', usual } = plan ? namesOf(localizer, plan.service) : {}
  const rows: Fact[] = [
    [say('booking.what'), textWithLang({ text: name, usual: usual?.name }, definition, localizer)],
    [
      say('booking.when'),
      preferredTimesText(entry, localizer, zone, tag).map((time, index) => [index > 0 && html`<br>`, time]),
    ],
    [say('waiting.until'), entry.status === 'waiting' && entry.over_at && momentText(localizer, entry.over_at, zone)],
  ]
  return facts(rows, localizer)
}
