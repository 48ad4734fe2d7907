import { localTexts } from '../../catalog/local-texts.ts'
import type { Config } from '../../config/config.ts'
import type { Speech, Values } from '../../languages/speech.ts'
import { momentText, shortMomentText, timeRange } from '../../languages/times.ts'
import type { Letter, LetterOf } from '../../mails/letter.ts'
import type { Tag } from '../../protocol/tags.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { entryUrl } from '../page-links.ts'
import type { EntryRow } from '../queries.ts'
import { revivedEntry, type StoredEntry } from '../stored-entry.ts'
import type { EntryLetterKind } from '../tell-of-entry.ts'

interface About {
  entry: EntryRow
  speech: Speech
  definition: BusinessDefinition
  page: string
}

/** What of an entry is told in each letter: whether its place in line, and what leads to its page. */
const kinds: Record<EntryLetterKind, { action?: 'letter.action.wait' | 'letter.action.answer'; isInLine?: true }> = {
  'waitlist.joined': { action: 'letter.action.wait', isInLine: true },
  'waitlist.offered': { action: 'letter.action.answer' },
  'waitlist.lapsed': {},
}

/** Puts what became of somebody who waits into words, as it was then. */
export const entryLetterOf =
  ({ config, tag }: { config: Pick<Config, 'baseUrl'>; tag: Tag }): LetterOf =>
  ({ kind, snapshot }, speech, definition) => {
    const entry = revivedEntry(snapshot as StoredEntry)
    if (!isKind(kind)) throw new Error(`There is no letter ${kind}`)
    return letter(kind, { entry, speech, definition, page: entryUrl(config.baseUrl, tag, entry.id) })
  }

const isKind = (kind: string): kind is EntryLetterKind => Object.hasOwn(kinds, kind)

function letter(kind: EntryLetterKind, about: About): Letter {
  const { speech, entry, page } = about
  const { say } = speech
  const values = valuesOf(about)
  const { action, isInLine } = kinds[kind]
  return {
    subject: say(`letter.${kind}.subject`, values),
    heading: say(`letter.${kind}.heading`, values),
    paragraphs: [
      ...(isInLine ? [say('letter.waitlist.joined.position', { position: entry.position })] : []),
      say(`letter.${kind}.text`, values),
    ],
    rows: rowsOf(about),
    ...(action && { actions: [{ label: say(action), url: page }] }),
  }
}

/** A service that the business has no more is called by nothing better than its id. */
function serviceOf({ entry, definition, speech }: About): string {
  const service = definition.services.find(({ id }) => id === entry.service_id)
  return service ? localTexts(service, speech.locale).name : entry.service_id
}

function valuesOf(about: About): Values {
  const { entry, speech, definition } = about
  const { timezone: zone, name: business } = definition.business
  const { offered_from, offer_expires_at } = entry
  return {
    ...{ business, service: serviceOf(about) },
    short: offered_from ? shortMomentText(speech, offered_from, zone) : '',
    until: offer_expires_at ? momentText(speech, offer_expires_at, zone) : '',
  }
}

function rowsOf(about: About): [name: string, value: string][] {
  const { entry, speech, definition } = about
  const { offered_from: from, offered_to: to } = entry
  const when = from && to ? timeRange(speech, from, to, definition.business.timezone) : undefined
  return [
    [speech.say('letter.row.what'), serviceOf(about)],
    ...(when === undefined ? [] : [[speech.say('letter.row.when'), when] as [string, string]]),
  ]
}
