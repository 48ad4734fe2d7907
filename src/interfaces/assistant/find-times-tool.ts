import type { Plan } from '../../domain/availability/service-scheduling-plan.ts'
import { englishLocalizer, type Localizer } from '../../infra/i18n/localizer.ts'
import { rfc3339 } from '../../infra/time/time-zone.ts'
import type { Message } from '../../protocol/types.generated.ts'
import { priceTexts } from '../booking-flow/service-description-texts.ts'
import { partySizes } from '../booking-flow/visitor-choices.ts'
import { partyInput } from './chosen-slot.ts'
import { insteadData, insteadText, MOST_SLOTS, timeData, timeText } from './describe-free-times.ts'
import { serviceOf } from './describe-service.ts'
import { type Explanation, explainSearch } from './explain-empty-search.ts'
import { lines, quoted, shortened } from './quote-untrusted-text.ts'
import { type FreeTime, freeTimes, refuseUnknown } from './search-free-times.ts'
import { momentInput, rangeOf } from './time-range.ts'
import { defineTool } from './tool-definition.ts'

const USUAL = 6
const MOST = 25
interface Input {
  service_ids: string[]
  from?: string
  to?: string
  with?: string[]
  party_size?: number
  location_id?: string
  limit?: number
}

const ids = (most: number, description: string) => ({
  type: 'array',
  minItems: 1,
  maxItems: most,
  uniqueItems: true,
  description,
  items: { type: 'string', maxLength: 100 },
})

export const findTimes = defineTool<Input>({
  name: 'find_times',
  title: 'Find free times',
  description:
    'Free times of one service or several, earliest first, each with a slot_id for book. Reserves nothing. For ' +
    '"Tuesday after work" ask from 17:00 that day to its end.',
  input: {
    required: ['service_ids'],
    properties: {
      service_ids: ids(
        4,
        'From find_services. Several ids: times of any of them. For services one after the other, make one call ' +
          'for each.',
      ),
      from: momentInput('First day (2026-12-24) or local time there (2026-12-24T17:00); now when left out.'),
      to: momentInput('Last day, inclusive, or local time there; a week when left out.'),
      with: ids(4, 'Only with one of these people or things, by id.'),
      party_size: partyInput,
      location_id: { type: 'string', maxLength: 100, description: 'Only at this location.' },
      limit: { type: 'integer', minimum: 1, maximum: MOST, default: USUAL },
    },
  },
  isShown: true,
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ service_ids, with: people = [], party_size, location_id, limit = USUAL, ...rangeInput }, toolContext) {
    const zone = toolContext.definition.business.timezone
    const plans = service_ids.map((id) => serviceOf(toolContext, id))
    const { from, to, explained: until } = rangeOf(rangeInput, zone, toolContext.now)
    const timeSearch = { from, to, people, party: party_size, location: location_id, limit }
    refuseUnknown(plans, timeSearch)
    const { times, moreFrom, ...found } = await freeTimes(plans, timeSearch, toolContext)
    const inWords = await Promise.all(plans.map((plan) => priceTexts(plan, { now: toolContext.now })))
    const pricesIn = (localizer: Localizer) => inWords.map((price) => price(localizer))
    const englishPrices = pricesIn(englishLocalizer())
    const prices = new Map(plans.map((plan, index) => [plan.service.id, englishPrices[index]]))
    const more = moreFrom === undefined ? undefined : rfc3339(zone, moreFrom)
    const why = times.length === 0 ? await explainSearch(plans, { ...timeSearch, to: until }, toolContext) : []
    const notices = remainingNotices(why, found.notices)
    const shown = plans.filter((plan) => times.some((time) => time.plan === plan))
    return {
      text: lines(
        times.length === 0
          ? `Nothing is free from ${from} to ${to}.`
          : `Free times, in local time of the business (${zone}):`,
        ...shown.flatMap((plan) => [
          `${plan.service.id} ${quoted(plan.service.name)}, ${prices.get(plan.service.id)}:`,
          ...times.filter((time) => time.plan === plan).map((time) => timeText(time, zone)),
        ]),
        ...why.flatMap((one) => insteadText(one, zone)),
        ...notices.map((notice) => `Note: ${quoted(notice, 300)}`),
        more !== undefined && `There are more: call find_times with from="${more}".`,
        nextText(times, why, partyText(plans, party_size)),
      ),
      data: {
        timezone: zone,
        prices: Object.fromEntries(prices),
        times: times.map((time) => timeData(time, zone)),
        ...(why.length > 0 && { why: why.map(insteadData) }),
        ...(more !== undefined && { more_from: more }),
        their_words: {
          names: namesIn(times),
          ...(notices.length > 0 && { notices: notices.map((notice) => shortened(notice, 300)) }),
        },
      },
      words: pricesIn,
    }
  },
})

function namesIn(times: readonly FreeTime[]): Record<string, string> {
  const names = new Map<string, string>()
  const add = ({ id, name }: { id?: string; name?: string }) => {
    if (id !== undefined && name !== undefined && !names.has(id)) names.set(id, shortened(name, 100))
  }
  for (const { service, business, locations } of new Set(times.map(({ plan }) => plan))) {
    add(service)
    if (locations.length > 1) business.locations?.filter(({ id }) => locations.includes(id)).forEach(add)
  }
  for (const { slots } of times) for (const { resources = [] } of slots.slice(0, MOST_SLOTS)) resources.forEach(add)
  return Object.fromEntries(names)
}

function nextText(times: readonly FreeTime[], why: readonly Explanation[], party: string): string {
  if (times.length > 0) return `Next: when the person has chosen, call book with that slot_id${party}.`
  return why.some(({ instead }) => instead.length > 0)
    ? `Next: offer the person the nearest alternatives, and call book with its slot_id${party}; or call ` +
        'find_times for other days.'
    : 'Next: call find_times for other days, or for another service.'
}

/**
 * Returns a phrase that tells the assistant to send the number of people when it books, because the slot id does not
 * contain this number.
 */
function partyText(plans: readonly Plan[], party: number | undefined): string {
  if (party !== undefined) return ` and party_size=${party}`
  return plans.some((plan) => partySizes(plan).length > 1) ? ' and the number of people as party_size' : ''
}

/**
 * Returns the texts of the notices for the answer, each text once. If the answer already explains why no time is free,
 * leaves out the general notice `no_availability`.
 */
const remainingNotices = (why: readonly Explanation[], notices: readonly Message[]): string[] => [
  ...new Set(notices.flatMap(({ code, content }) => (why.length > 0 && code === 'no_availability' ? [] : [content]))),
]
