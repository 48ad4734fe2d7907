import type { EgressResponse } from '../../../core/egress/call-external-url.ts'
import { endpointsOf } from '../../../infra/config/calendar-providers.ts'
import type { Config } from '../../../infra/config/read-config.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import type { Bounds } from '../../../protocol/parse-json-safely.ts'
import { UnreadCalendarError } from '../calendar-problems.ts'
import { problemOfStatus } from '../fetch-calendar.ts'
import { documentOf, type SendToProvider, senderTo } from '../oauth/provider-client.ts'

/**
 * The largest number of bytes in one read, and in one answer. A list of changes contains the texts of the events, because
 * Microsoft cannot leave them out there.
 */
const MAX_BYTES = 50 * 1024 * 1024
export const MAX_PAGE_BYTES = 4 * 1024 * 1024
const MAX_PAGES = 500
export const MICROSOFT_BOUNDS: Bounds = { deepest: 16, mostValues: 50_000, longestText: 1024 * 1024 }
const MAX_LINK_CHARACTERS = 8_000

/** All times in UTC. The texts of events are short without their format. */
const PREFER = 'outlook.timezone="UTC", outlook.body-content-type="text"'

type Items = readonly unknown[]

export interface MicrosoftClient {
  /**
   * Gets all pages of a list. Returns `gone` if the calendar does not exist, or if Microsoft has lost the position in the
   * changes. `link` is the address of the changes after this list, if there is one.
   */
  list(path: string, preference: string, take: (items: Items) => void): Promise<{ link: string | undefined } | 'gone'>
  /** Calls Microsoft. Returns the answer with any status. */
  send(path: string, call: Parameters<SendToProvider>[1]): Promise<EgressResponse>
}

/** Makes a client that reads the calendars of one account with Microsoft Graph. */
export function microsoftClient(accessToken: string, config: Config): MicrosoftClient {
  const { calendars } = endpointsOf('microsoft', config)
  const send = senderTo(accessToken, config, { mostBytes: MAX_BYTES, mostPageBytes: MAX_PAGE_BYTES })
  /** Returns the path of a link. The function refuses links to other hosts, which must not get the token. */
  const pathOf = (link: unknown): string => {
    if (typeof link !== 'string' || link.length > MAX_LINK_CHARACTERS || !link.startsWith(`${calendars}/`))
      throw new UnreadCalendarError('truncated')
    return link.slice(calendars.length)
  }
  return {
    async list(path, preference, take) {
      let next = path
      for (let page = 0; page < MAX_PAGES; page++) {
        const answer = await send(`${calendars}${next}`, { headers: { prefer: `${PREFER}, ${preference}` } })
        const isChanges = /[?&]\$(delta|skip)token=/.test(next)
        if ([404, 410].includes(answer.status) || (answer.status === 400 && isChanges)) return 'gone'
        if (answer.status === 401 || answer.status === 403) throw new UnreadCalendarError('access_revoked')
        if (answer.status !== 200) throw problemOfStatus(answer)
        const document = asRecord(documentOf(answer.body, MICROSOFT_BOUNDS))
        if (!Array.isArray(document.value)) throw new UnreadCalendarError('truncated')
        take(document.value)
        const [following, changes] = [document['@odata.nextLink'], document['@odata.deltaLink']]
        if (following === undefined) return { link: changes === undefined ? undefined : pathOf(changes) }
        next = pathOf(following)
      }
      throw new UnreadCalendarError('too_large')
    },
    send: (path, call) => send(`${calendars}${path}`, call),
  }
}
