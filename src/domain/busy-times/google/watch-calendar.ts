import { HOUR } from '../../../infra/time/time-units.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import { UnreadCalendarError } from '../calendar-problems.ts'
import { failureOf } from '../fetch-calendar.ts'
import { type Channel, newChannelId, refusedChannel, renewalOf, secretOf, type Watching } from '../oauth/channels.ts'
import { documentOf } from '../oauth/provider-client.ts'
import { GOOGLE_BOUNDS, type GoogleClient } from './google-client.ts'

export const GOOGLE_NOTICES_PATH = '/calendar-notices/google'

/** Google closes a channel after a week at the latest. Without a wish, it may close it after an hour. */
const LIFETIME_MS = 7 * 24 * HOUR

/**
 * Opens a channel for a calendar, and closes the former one. If Google refuses the channel, the server still reads the
 * calendar every ten minutes.
 */
export async function watchGoogleCalendar(
  { post }: GoogleClient,
  calendar: string,
  former: Channel | undefined,
  watching: Watching,
): Promise<Channel> {
  const { tag, now, baseUrl } = watching
  const id = newChannelId(watching)
  const address = `${baseUrl}${GOOGLE_NOTICES_PATH}`
  const body = { id, type: 'web_hook', address, token: secretOf(id, tag), expiration: now.getTime() + LIFETIME_MS }
  try {
    const answer = await post(`/calendars/${encodeURIComponent(calendar)}/events/watch`, body)
    if (answer.status !== 200) return refusedChannel(watching)
    const { resourceId, expiration } = asRecord(documentOf(answer.body, GOOGLE_BOUNDS))
    if (former?.id !== undefined) await stop(post, former)
    const renewAt = renewalOf(Number(expiration), watching, LIFETIME_MS)
    return { id, resource: String(resourceId).slice(0, 200), renewAt }
  } catch (error) {
    if (!(error instanceof UnreadCalendarError)) throw error
    return refusedChannel(watching)
  }
}

const stop = (post: GoogleClient['post'], { id, resource }: Channel) =>
  post('/channels/stop', { id, resourceId: resource })

export async function closeGoogleChannel({ post }: GoogleClient, channel: Channel): Promise<void> {
  const failure = failureOf(await stop(post, channel))
  if (failure) throw failure
}
