import { placeText } from '../../domain/bookings/booking-location-text.ts'
import { localTexts } from '../../domain/catalog/localized-texts.ts'
import { entryUrl } from '../../domain/waitlist/entry-page-link.ts'
import type { EntryRow } from '../../domain/waitlist/queries.ts'
import { momentText, timeRange, untilText } from '../../infra/i18n/format-times.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import type { Item, ItemDependencies, ListViewer } from './list-item-types.ts'

type Entry = EntryRow & { ends_at: Date | null }

export function entryItem(
  entry: Entry,
  { definition, localizer }: ListViewer,
  { config, tag, clock }: ItemDependencies,
): Item {
  const service = definition.services.find(({ id }) => id === entry.service_id)
  const zone = definition.business.timezone
  return {
    what: service ? localTexts(service, localizer.locale).name : entry.service_id,
    when: wantedText(entry, localizer, zone),
    where: service && place(service, definition, localizer),
    state: state(entry, localizer, zone, clock()),
    url: entryUrl(config.baseUrl, tag, entry.id),
  }
}

function wantedText(
  { offered_from, offered_to, slot_id, ends_at, preferred }: Entry,
  localizer: Localizer,
  zone: string,
): string {
  if (offered_from && offered_to) return timeRange(localizer, offered_from, offered_to, zone)
  if (slot_id !== null && ends_at) return momentText(localizer, ends_at, zone)
  return localizer.say(preferred && preferred.length > 0 ? 'my.entry.wished_times' : 'my.entry.any_time')
}

function state({ offer_expires_at, position }: Entry, localizer: Localizer, zone: string, now: Date): string {
  if (!offer_expires_at) return localizer.say('my.state.waiting', { position })
  return localizer.say('my.state.offered', { time: untilText(localizer, offer_expires_at, zone, now) })
}

/**
 * Returns the text about the place of an appointment: the only location of the business, the phone, or the buyer's
 * address. Returns undefined if the appointment can take place at several locations.
 */
function place(
  { channel }: BusinessDefinition['services'][number],
  definition: BusinessDefinition,
  localizer: Localizer,
): string | undefined {
  const [only, ...others] = definition.locations ?? []
  if (channel.type === 'at_buyer_location') return localizer.say('place.yours')
  const isOneOfMany = others.length > 0 && channel.type !== 'virtual' && channel.type !== 'phone'
  return isOneOfMany ? undefined : placeText({ channel, location: only }, definition, localizer)
}
