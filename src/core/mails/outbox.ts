import { type MailedBuyer, type NewMail, noOutbox, type Outbox } from '../../infra/db/outbox.ts'
import { currentTraceparent } from '../../infra/telemetry/tracing.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { type Channel, channelsOf } from './channels.ts'

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
          status: 'waiting',
          next_at: mail.notBefore ?? now,
          created_at: now,
          traceparent: currentTraceparent() ?? null,
        })),
      )

type Recipient = Pick<MailedBuyer, 'email' | 'phone' | 'locale'>

/** The webhook gets a notification for the staff once, without an address. The webhook decides who receives it. */
function recipientsOf({ to }: NewMail, channel: Channel, definition: BusinessDefinition): Recipient[] {
  if (to !== 'staff') return isWanted(to, definition) ? [to] : []
  return channel === 'webhook' ? [{ email: '' }] : (definition.mails?.staff ?? []).map((email) => ({ email }))
}

/** Whether the business wants to notify this buyer, since the platform of the booking may already do that. */
export function isWanted({ platform }: MailedBuyer, { mails }: BusinessDefinition): boolean {
  const wanted = mails?.platform_buyers ?? 'needed'
  if (platform === undefined || wanted === 'all') return true
  return wanted === 'needed' && platform === 'needed'
}
