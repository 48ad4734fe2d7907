import { placeText } from '../../domain/bookings/place.ts'
import { localTexts } from '../../domain/catalog/local-texts.ts'
import { entryUrl } from '../../domain/waitlist/page-links.ts'
import type { EntryRow } from '../../domain/waitlist/queries.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { momentText, timeRange, untilText } from '../../infra/i18n/times.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import type { Item, ItemDependencies, ListViewer } from './item.ts'

type Entry = EntryRow & { ends_at: Date | null }

export function entryItem(
  entry: Entry,
  { definition, speech }: ListViewer,
  { config, tag, clock }: ItemDependencies,
): Item {
  const service = definition.services.find(({ id }) => id === entry.service_id)
  const zone = definition.business.timezone
  return {
    what: service ? localTexts(service, speech.locale).name : entry.service_id,
    when: wanted(entry, speech, zone),
    where: service && place(service, definition, speech),
    state: state(entry, speech, zone, clock()),
    url: entryUrl(config.baseUrl, tag, entry.id),
  }
}

function wanted(
  { offered_from, offered_to, slot_id, ends_at, preferred }: Entry,
  speech: Localizer,
  zone: string,
): string {
  if (offered_from && offered_to) return timeRange(speech, offered_from, offered_to, zone)
  if (slot_id !== null && ends_at) return momentText(speech, ends_at, zone)
  return speech.say(preferred && preferred.length > 0 ? 'my.entry.wished_times' : 'my.entry.any_time')
}

function state({ offer_expires_at, position }: Entry, speech: Localizer, zone: string, now: Date): string {
  if (!offer_expires_at) return speech.say('my.state.waiting', { position })
  return speech.say('my.state.offered', { time: untilText(speech, offer_expires_at, zone, now) })
}

/** The location before a time is known: the only location of the business, or the channel of the service. */
function place(
  { channel }: BusinessDefinition['services'][number],
  definition: BusinessDefinition,
  speech: Localizer,
): string | undefined {
  const [only, ...others] = definition.locations ?? []
  if (channel.type === 'at_buyer_location') return speech.say('place.yours')
  const isOneOfMany = others.length > 0 && channel.type !== 'virtual' && channel.type !== 'phone'
  return isOneOfMany ? undefined : placeText({ channel, location: only }, definition, speech)
}
