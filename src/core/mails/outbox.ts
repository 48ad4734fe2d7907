import type { Config } from '../../infra/config/read-config.ts'
import { type MailedBuyer, type NewMail, noOutbox, type Outbox } from '../../infra/db/mail-outbox.ts'
import { currentTraceparent } from '../../infra/telemetry/tracing.ts'
import { isInvented } from '../../infra/util/email-address.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

export const outboxOf =
  ({ config, business }: Dependencies<'config' | 'business'>) =>
  async (): Promise<Outbox> => {
    const definition = await business.get()
    return definition ? outboxFor(definition, channelsOf(config, definition)) : noOutbox
  }

export const outboxFor =
  (definition: BusinessDefinition, channels: readonly Channel[]): Outbox =>
  (mail, now) =>
    channels
      .filter((channel) => mail.onlyChannel === undefined || channel === mail.onlyChannel)
      .flatMap((channel) =>
        recipientsOf(mail, channel, definition).map(({ email, phone, locale }) => ({
          id: newId('mail'),
          channel,
          kind: mail.kind,
          subject: mail.subject,
          audience: mail.to === 'staff' ? 'staff' : 'buyer',
          recipient: email,
          phone: phone ?? null,
          locale: locale ?? definition.business.language ?? 'en',
          snapshot: JSON.stringify(mail.snapshot),
          ...(mail.isWithheld ? { status: 'dropped', ended_at: now } : { status: 'waiting' }),
          next_at: mail.notBefore ?? now,
          created_at: now,
          traceparent: currentTraceparent() ?? null,
        })),
      )

type Recipient = Pick<MailedBuyer, 'email' | 'phone' | 'locale'>

/**
 * Returns the recipients of a notification on a channel (mail or webhook). The webhook gets a notification for the
 * staff only once and without an address, because the webhook itself chooses the staff members.
 */
function recipientsOf({ to }: NewMail, channel: Channel, definition: BusinessDefinition): Recipient[] {
  if (to !== 'staff') return isWanted(to, definition) ? [to] : []
  return channel === 'webhook' ? [{ email: '' }] : (definition.mails?.staff ?? []).map((email) => ({ email }))
}

/**
 * Whether this server must notify the buyer. It never notifies the invented people of the demo data. If a platform made
 * the booking, the business can leave the notifications to the platform.
 */
function isWanted({ email, platform }: MailedBuyer, { mails }: BusinessDefinition): boolean {
  if (isInvented(email)) return false
  const wanted = mails?.platform_buyers ?? 'needed'
  if (platform === undefined || wanted === 'all') return true
  return wanted === 'needed' && platform === 'needed'
}

/**
 * The channel for a notification. `mail`: the server sends a mail. `webhook`: the server sends the data to the webhook
 * of the business.
 */
export type Channel = 'mail' | 'webhook'

/**
 * Whether the server can deliver mails. A development server always can, because it shows the mails on a page in the
 * browser.
 */
export const canMail = ({ mode, mail }: Pick<Config, 'mode' | 'mail'>): boolean =>
  mail !== undefined || mode === 'development'

export function channelsOf(config: Config, definition: BusinessDefinition | undefined): Channel[] {
  const isPosted = definition?.notifications?.webhook !== undefined
  return [...(canMail(config) ? (['mail'] as const) : []), ...(isPosted ? (['webhook'] as const) : [])]
}

/** Whether the server will send mails to the buyer. A page must not promise a mail if the server will not send one. */
export const willMail = (
  to: MailedBuyer | undefined,
  { config, definition }: { config: Pick<Config, 'mode' | 'mail'>; definition: BusinessDefinition },
): to is MailedBuyer => to !== undefined && canMail(config) && isWanted(to, definition)
