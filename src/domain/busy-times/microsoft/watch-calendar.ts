import { MINUTE } from '../../../infra/time/time-units.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import { UnreadCalendarError } from '../calendar-problems.ts'
import { failureOf } from '../fetch-calendar.ts'
import { type Channel, newChannelId, refusedChannel, renewalOf, secretOf, type Watching } from '../oauth/channels.ts'
import { documentOf } from '../oauth/provider-client.ts'
import { MICROSOFT_BOUNDS, type MicrosoftClient } from './microsoft-client.ts'

export const MICROSOFT_NOTICES_PATH = '/calendar-notices/microsoft'

/** Microsoft accepts no longer lifetime of a subscription to events in all of its clouds. */
const LIFETIME_MS = 4_230 * MINUTE

/**
 * Renews the subscription to a calendar, or makes a new one. If Microsoft refuses the subscription, the server still reads
 * the calendar every ten minutes.
 */
export async function watchMicrosoftCalendar(
  { send }: MicrosoftClient,
  calendar: string,
  former: Channel | undefined,
  watching: Watching,
): Promise<Channel> {
  const { tag, now, baseUrl } = watching
  const end = now.getTime() + LIFETIME_MS
  const expirationDateTime = new Date(end).toISOString()
  const renewAt = renewalOf(end, watching, LIFETIME_MS)
  try {
    if (former?.id !== undefined) {
      const renewed = await send(pathOf(former.id), {
        method: 'PATCH',
        document: { expirationDateTime },
      })
      if (renewed.status === 200) return { ...former, renewAt }
    }
    const name = newChannelId(watching)
    const document = {
      changeType: 'created,updated,deleted',
      notificationUrl: `${baseUrl}${MICROSOFT_NOTICES_PATH}`,
      resource: `/me/calendars/${calendar}/events`,
      expirationDateTime,
      clientState: `${name}.${secretOf(name, tag)}`,
    }
    const made = await send('/subscriptions', { method: 'POST', document })
    if (made.status !== 201) return refusedChannel(watching)
    const { id } = asRecord(documentOf(made.body, MICROSOFT_BOUNDS))
    return typeof id === 'string' && id.length <= 200 ? { id, renewAt } : refusedChannel(watching)
  } catch (error) {
    if (!(error instanceof UnreadCalendarError)) throw error
    return refusedChannel(watching)
  }
}

const pathOf = (subscription: string): string => `/subscriptions/${encodeURIComponent(subscription)}`

export async function closeMicrosoftSubscription({ send }: MicrosoftClient, { id }: Channel): Promise<void> {
  const failure = id === undefined ? undefined : failureOf(await send(pathOf(id), { method: 'DELETE' }))
  if (failure) throw failure
}
