import type { NotificationText, TextMessage, WriteNotification } from '../../../core/mails/notification-text.ts'
import type { Config } from '../../../infra/config/read-config.ts'
import { momentText, shortMomentText } from '../../../infra/i18n/format-times.ts'
import type { Values } from '../../../infra/i18n/localizer.ts'
import type { Tag } from '../../../protocol/keyed-digest.ts'
import { planOf } from '../../availability/service-scheduling-plan.ts'
import { cancellationFacts, cancellationText } from '../../bookings/cancellation-costs.ts'
import { textsOf } from '../../notifications/text-messages.ts'
import { UNREAD_REPLY, unreadReplyText } from '../../notifications/unread-reply.ts'
import { isDepositRefundable } from '../../pricing/booking-price.ts'
import { entryUrl } from '../entry-page-link.ts'
import { revivedEntry, type StoredEntry } from '../entry-response.ts'
import type { EntryNotificationKind } from '../notify-entry.ts'
import { entryRows, type NotificationData, offeredPayment, serviceName } from './waitlist-mail-details.ts'

/**
 * The kinds of waitlist notifications. `action` is the label of the link to the entry's page. `isInLine` says that the
 * text contains the position on the waitlist.
 */
const kinds: Record<
  EntryNotificationKind,
  { action?: 'letter.action.wait' | 'letter.action.answer'; isInLine?: true }
> = {
  'waitlist.joined': { action: 'letter.action.wait', isInLine: true },
  'waitlist.offered': { action: 'letter.action.answer' },
  'waitlist.lapsed': {},
}

export const entryNotificationOf =
  ({ config, tag }: { config: Pick<Config, 'baseUrl'>; tag: Tag }): WriteNotification =>
  ({ kind, snapshot }, localizer, definition) => {
    const entry = revivedEntry(snapshot as StoredEntry)
    if (kind === UNREAD_REPLY) return unreadReplyText(entryUrl(config.baseUrl, tag, entry.id), localizer, definition)
    if (!isKind(kind)) throw new Error(`There is no letter ${kind}`)
    const pageOf = (id: string) => entryUrl(config.baseUrl, tag, id)
    const earlierPage = entry.earlier === undefined ? undefined : pageOf(entry.earlier)
    return notificationOf(kind, { entry, localizer, definition, tag, page: pageOf(entry.id), earlierPage })
  }

const isKind = (kind: string): kind is EntryNotificationKind => Object.hasOwn(kinds, kind)

function notificationOf(kind: EntryNotificationKind, data: NotificationData): NotificationText {
  const { localizer, entry, page, earlierPage } = data
  const { say } = localizer
  const values = valuesOf(data)
  const { action, isInLine } = kinds[kind]
  return {
    subject: say(`letter.${kind}.subject`, values),
    heading: say(`letter.${kind}.heading`, values),
    paragraphs: [
      ...(isInLine ? [say('letter.waitlist.joined.position', { position: entry.position })] : []),
      say(`letter.${kind}.text`, values),
      ...(kind === 'waitlist.offered' ? termsOf(data) : []),
    ],
    rows: entryRows(data),
    ...(kind === 'waitlist.offered' && { textMessage: offerText(data) }),
    ...(action && {
      actions: [
        { label: say(action), url: page },
        ...(earlierPage === undefined ? [] : [{ label: say('letter.action.wait.earlier'), url: earlierPage }]),
      ],
    }),
  }
}

function valuesOf(data: NotificationData): Values {
  const { entry, localizer, definition } = data
  const { timezone: zone, name: business } = definition.business
  const { offered_from, offer_expires_at } = entry
  return {
    business,
    service: serviceName(data),
    short: offered_from ? shortMomentText(localizer, offered_from, zone) : '',
    until: offer_expires_at ? momentText(localizer, offer_expires_at, zone) : '',
  }
}

/** The text message about an offer. It is of no use after the offer has ended. */
function offerText(data: NotificationData): TextMessage {
  const { business, service, short } = valuesOf(data)
  const values = { business: String(business), service: String(service), when: String(short), url: data.page }
  const until = data.entry.offer_expires_at ?? undefined
  return { texts: textsOf('text.waitlist_offer', values, data.localizer), until }
}

function termsOf(data: NotificationData): string[] {
  const { entry, localizer, definition } = data
  const service = planOf(definition, entry.service_id)?.service
  const starts = entry.offered_from
  if (!service || !starts) return []
  const { policies, pricing } = service
  const payment = offeredPayment(data)
  const agreed = { policies, deposit_refundable: isDepositRefundable(service), ...(payment && { payment }) }
  const facts = cancellationFacts(agreed, starts, entry.updated_at)
  const { name: business, timezone: zone } = definition.business
  return [
    ...(policies.confirmation_mode === 'manual' ? [localizer.say('book.terms.manual', { business })] : []),
    ...cancellationText(facts, { zone, currency: payment?.currency ?? pricing.currency }, localizer),
  ]
}
