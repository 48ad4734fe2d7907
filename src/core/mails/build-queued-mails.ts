import type { StoredTextProvider } from '../../infra/config/text-provider.ts'
import {
  type MailedBuyer,
  type MailRows,
  type NewMail,
  noOutbox,
  type Outbox,
} from '../../infra/db/queued-mail-types.ts'
import { currentTraceparent } from '../../infra/telemetry/tracing.ts'
import { isInvented, isUndeliverable } from '../../infra/util/email-address.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { numberInCountries } from '../texts/phone-numbers.ts'
import type { MailRow } from './queries.ts'
import { isTextWanted } from './text-topics.ts'

export const outboxOf = (dependencies: MailSettings) => async (): Promise<Outbox> => {
  const { business } = dependencies
  const definition = await business.get()
  if (!definition) return noOutbox
  const channels = await channelsOf(dependencies, definition)
  const mailRows = outboxFor(definition, channels, await business.textProvider())
  return { mailRows, isPushed: await business.hasPushSubscriptions() }
}

export const outboxFor =
  (definition: BusinessDefinition, channels: readonly Channel[], textProvider?: StoredTextProvider): MailRows =>
  (mail, now) => {
    const possible = [...channels, ...(textProvider ? (['text'] as const) : [])]
      .filter((channel) => mail.onlyChannel === undefined || channel === mail.onlyChannel)
      .flatMap((channel) =>
        recipientsOf(mail, channel, { definition, textProvider }).map((recipient) => ({ channel, ...recipient })),
      )
    return inChosenChannel(possible, mail).map(({ channel, email, phone, locale, snapshot = mail.snapshot }) => ({
      id: newId('mail'),
      channel,
      kind: mail.kind,
      subject: mail.subject,
      audience: mail.to === 'staff' ? 'staff' : 'buyer',
      recipient: email,
      phone: phone ?? null,
      locale: locale ?? definition.business.language ?? 'en',
      snapshot: JSON.stringify(snapshot),
      ...(mail.isWithheld ? { status: 'dropped', ended_at: now } : { status: 'waiting' }),
      next_at: mail.notBefore ?? now,
      created_at: now,
      traceparent: currentTraceparent() ?? null,
    }))
  }

interface Delivery extends Recipient {
  channel: Channel
  /** The stored content, if it differs from the content of the other channels. */
  snapshot?: object
}

/** Leaves out the channel that the business did not choose for a reminder. */
function inChosenChannel(possible: readonly Delivery[], { by, snapshot }: NewMail): Delivery[] {
  const isPossible = (one: Channel) => possible.some(({ channel }) => channel === one)
  if (by === 'mail') return possible.filter(({ channel }) => channel !== 'text')
  if (by !== 'text' || !isPossible('text') || !isPossible('mail')) return [...possible]
  return possible
    .filter(({ channel }) => channel !== 'mail')
    .map((one) => (one.channel === 'text' ? { ...one, snapshot: { ...snapshot, replaces_mail: true } } : one))
}

/**
 * Whether a text message goes out instead of a mail. If the server does not send the text message, it sends the mail. A
 * message that the staff send again does not cause another mail.
 */
export const isInsteadOfMail = ({ channel, resent, snapshot }: MailRow): boolean =>
  channel === 'text' && resent === 0 && asRecord(snapshot).replaces_mail === true

type Recipient = Pick<MailedBuyer, 'email' | 'phone' | 'locale'>

/**
 * Returns the recipients of a notification on a channel (mail or webhook). The webhook gets a notification for the
 * staff only once and without an email address, because the webhook itself chooses the staff members.
 */
function recipientsOf(
  mail: NewMail,
  channel: Channel,
  { definition, textProvider }: { definition: BusinessDefinition; textProvider: StoredTextProvider | undefined },
): Recipient[] {
  const { to } = mail
  if (to !== 'staff') {
    if (!isWanted(to, definition)) return []
    if (channel !== 'text') return isUndeliverable(to.email) ? [] : [to]
    const phone = textProvider && textNumberOf(mail, textProvider)
    return phone === undefined ? [] : [{ ...to, phone }]
  }
  if (channel === 'text') return []
  return channel === 'webhook' ? [{ email: '' }] : (definition.mails?.staff ?? []).map((email) => ({ email }))
}

/** Returns the phone number to which the server sends the notification as a text message. */
function textNumberOf(
  { kind, to, onlyChannel }: NewMail,
  { topics, countries }: Pick<StoredTextProvider, 'topics' | 'countries'>,
): string | undefined {
  if (to === 'staff' || to.textNumber === undefined) return undefined
  return onlyChannel === 'text' || isTextWanted(kind, topics) ? numberInCountries(to.textNumber, countries) : undefined
}

/**
 * Whether this server must notify the buyer. The server never notifies the invented people of the demo data. If a
 * platform made the booking, the business can leave the notifications to the platform.
 */
function isWanted({ email, platform }: MailedBuyer, { mails }: BusinessDefinition): boolean {
  if (isInvented(email)) return false
  const wanted = mails?.platform_buyers ?? 'needed'
  if (platform === undefined || wanted === 'all') return true
  return wanted === 'needed' && platform === 'needed'
}

/**
 * The channel for a notification. `mail`: the server sends a mail. `webhook`: the server sends the data to the webhook
 * of the business. `text`: the server sends a text message to a phone.
 */
export type Channel = 'mail' | 'webhook' | 'text'

/**
 * The dependencies that show whether there is a mail server. The operator sets one in the settings (`config`), or an
 * owner enters one on the staff pages (`business`).
 */
type MailSettings = Dependencies<'config' | 'business'>

/**
 * Whether the server can deliver mails. A development server always can, because it shows the mails on a page in the
 * browser.
 */
export const canMail = async (dependencies: MailSettings): Promise<boolean> =>
  dependencies.config.mode === 'development' || (await currentSender(dependencies)) !== undefined

/** Returns the sender of the mails. Returns undefined if there is no mail server. */
export const currentSender = async ({ config, business }: MailSettings): Promise<string | undefined> =>
  config.mail?.from ?? (await business.mailServer())?.sender

export async function channelsOf(
  dependencies: MailSettings,
  definition: BusinessDefinition | undefined,
): Promise<Channel[]> {
  const isPosted = definition?.notifications?.webhook !== undefined
  return [...((await canMail(dependencies)) ? (['mail'] as const) : []), ...(isPosted ? (['webhook'] as const) : [])]
}

/** Whether the server will send mails to the buyer. A page must not promise a mail if the server will not send one. */
export const willMail = (
  to: MailedBuyer | undefined,
  { definition, isMailSetUp }: { definition: BusinessDefinition; isMailSetUp: boolean },
): to is MailedBuyer => to !== undefined && isMailSetUp && !isUndeliverable(to.email) && isWanted(to, definition)
