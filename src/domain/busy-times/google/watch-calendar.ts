import { HOUR } from '../../../infra/time/time-units.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import { newId } from '../../../infra/util/random-bytes.ts'
import { isEqualInConstantTime, type Tag } from '../../../protocol/keyed-digest.ts'
import { UnreadCalendarError } from '../calendar-problems.ts'
import { documentOf, type GoogleClient } from './google-client.ts'

/**
 * A channel, in which Google reports that a calendar has changed. Without an id, Google has refused a channel for this
 * calendar.
 */
export interface Channel {
  id?: string
  /** The name that Google has given to the calendar. Only with it can the server close the channel. */
  resource?: string
  /** When the server opens the next channel, in milliseconds. */
  renewAt: number
}

export const GOOGLE_NOTICES_PATH = '/calendar-notices/google'

/** Google closes a channel after a week at the latest. Without a wish, it may close it after an hour. */
const LIFETIME_MS = 7 * 24 * HOUR
/** The server opens the next channel after this part of the lifetime. Until the old one ends, both report changes. */
const RENEWED_AFTER = 0.75
const RETRY_MS = 6 * HOUR

export interface Watching {
  source: string
  tag: Tag
  now: Date
  baseUrl: string
}

/** Whether Google can report changes to this server. It calls only addresses with https. */
export const canWatch = ({ baseUrl }: Pick<Watching, 'baseUrl'>): boolean => baseUrl.startsWith('https:')

/**
 * Opens a channel for a calendar, and closes the former one. If Google refuses the channel, the server still reads the
 * calendar every ten minutes.
 */
export async function openChannel(
  { post }: GoogleClient,
  calendar: string,
  former: Channel | undefined,
  { source, tag, now, baseUrl }: Watching,
): Promise<Channel> {
  const id = newId(source)
  const wish = now.getTime() + LIFETIME_MS
  const body = {
    id,
    type: 'web_hook',
    address: `${baseUrl}${GOOGLE_NOTICES_PATH}`,
    token: tokenOf(id, tag),
    expiration: wish,
  }
  try {
    const answer = await post(`/calendars/${encodeURIComponent(calendar)}/events/watch`, body)
    if (answer.status !== 200) return { renewAt: now.getTime() + RETRY_MS }
    const { resourceId, expiration } = asRecord(documentOf(answer.body))
    if (former?.id !== undefined) await post('/channels/stop', { id: former.id, resourceId: former.resource })
    const lifetime = Math.min(Math.max(Number(expiration) - now.getTime() || 0, HOUR), LIFETIME_MS)
    return { id, resource: String(resourceId).slice(0, 200), renewAt: now.getTime() + RENEWED_AFTER * lifetime }
  } catch (error) {
    if (!(error instanceof UnreadCalendarError)) throw error
    return { renewAt: now.getTime() + RETRY_MS }
  }
}

/** The secret of a channel, with which Google proves its notices. */
const tokenOf = (channel: string, tag: Tag): string => tag('google channel', channel, 32)

/** Returns the id of the source that a notice is about. Returns undefined if the notice is not from Google. */
export function sourceOfNotice(channel: string, token: string, tag: Tag): string | undefined {
  if (!isEqualInConstantTime(token, tokenOf(channel, tag))) return undefined
  return /^(ccal_[\w-]{16})_/.exec(channel)?.[1]
}
