import { HOUR } from '../../../infra/time/time-units.ts'
import { newId } from '../../../infra/util/random-bytes.ts'
import { isEqualInConstantTime, type Tag } from '../../../protocol/keyed-digest.ts'

/**
 * A channel, in which a provider reports that a calendar has changed. Without an id, the provider has refused a channel
 * for this calendar.
 */
export interface Channel {
  id?: string
  /** The name that the provider has given to the calendar or to the channel. */
  resource?: string
  /** When the server renews the channel, in milliseconds. */
  renewAt: number
}

export interface Watching {
  source: string
  tag: Tag
  now: Date
  baseUrl: string
}

/** Whether providers can report changes to this server. They call only addresses with https. */
const canWatch = ({ baseUrl }: Pick<Watching, 'baseUrl'>): boolean => baseUrl.startsWith('https:')

/** The maximum number of channels that one read opens. The next reads open the others. */
const MAX_NEW_CHANNELS = 10

/** Returns a function that opens the channel of a calendar if it is due, within the limit of one read. */
export function channelKeeper(
  known: Record<string, Channel>,
  watching: Watching,
  open: (calendar: string, former: Channel | undefined, watching: Watching) => Promise<Channel>,
) {
  let opened = 0
  return async (calendar: string, key: string): Promise<Record<string, Channel>> => {
    const former = known[key]
    const isDue = canWatch(watching) && !(former && former.renewAt > watching.now.getTime())
    const channel = isDue && opened++ < MAX_NEW_CHANNELS ? await open(calendar, former, watching) : former
    return channel ? { [key]: channel } : {}
  }
}

/** The server renews a channel after this part of its lifetime. */
const RENEWED_AFTER = 0.75
const RETRY_MS = 6 * HOUR

/** Returns when the server renews a channel that ends at `end`. The end comes from the provider. */
export function renewalOf(end: number, { now }: Watching, longest: number): number {
  const lifetime = Math.min(Math.max(end - now.getTime() || 0, HOUR), longest)
  return now.getTime() + RENEWED_AFTER * lifetime
}

export const refusedChannel = ({ now }: Watching): Channel => ({ renewAt: now.getTime() + RETRY_MS })

/** The id of a new channel. It names the source, so that the server finds the source of a notice. */
export const newChannelId = ({ source }: Watching): string => newId(source)

/** The secret of a channel, with which the provider proves its notices. */
export const secretOf = (channel: string, tag: Tag): string => tag('calendar channel', channel, 32)

/** Returns the id of the source that a notice is about. Returns undefined if the secret is wrong. */
export function sourceOfNotice(channel: string, secret: string, tag: Tag): string | undefined {
  if (!isEqualInConstantTime(secret, secretOf(channel, tag))) return undefined
  return /^(ccal_[\w-]{16})_/.exec(channel)?.[1]
}
