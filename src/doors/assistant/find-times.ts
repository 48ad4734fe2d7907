import type { Plan } from '../../availability/plan.ts'
import { readMoment } from '../../availability/query-range.ts'
import { english, type Speech } from '../../languages/speech.ts'
import type { Message } from '../../protocol/types.generated.ts'
import { DAY, MINUTE } from '../../time/units.ts'
import { dateIn, daysLater, firstInstantOf, written } from '../../time/zone.ts'
import { partySizes } from '../book/choice.ts'
import { priceText } from '../book/words.ts'
import { type FreeTime, freeTimes, refuseUnknown } from './free-times.ts'
import { type Explained, explained } from './instead.ts'
import { serviceOf } from './services.ts'
import { partyInput } from './slots.ts'
import { insteadData, insteadText, MOST_SLOTS, timeData, timeText } from './time-words.ts'
import { defineTool } from './tool.ts'
import { cut, lines, theirs } from './words.ts'

const USUAL = 6
const MOST = 25
/** As many as are explained at once where nothing is free. */
const USUAL_DAYS = 6

interface Input {
  service_ids: string[]
  from?: string
  to?: string
  with?: string[]
  party_size?: number
  location_id?: string
  limit?: number
}

/** Without an offset it is the clock of the business, which a model that has none goes by. */
const LOCAL = '^\\d{4}-\\d{2}-\\d{2}T([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d)?$'

const moment = (description: string) => ({
  ...{ type: 'string', maxLength: 40, description },
  anyOf: [{ format: 'date' }, { format: 'date-time' }, { pattern: LOCAL }],
})
const ids = (most: number, description: string) => ({
  ...{ type: 'array', minItems: 1, maxItems: most, uniqueItems: true, description },
  items: { type: 'string', maxLength: 100 },
})

export const findTimes = defineTool<Input>({
  name: 'find_times',
  title: 'Find free times',
  description:
    'Free times of one service or several, earliest first, each with a slot_id for book. Nothing is kept by asking. For ' +
    '"Tuesday after work" ask from 17:00 that day to its end.',
  input: {
    required: ['service_ids'],
    properties: {
      service_ids: ids(4, 'From find_services. Of several, whichever is free; for one after the other ask for each.'),
      from: moment('Day (2026-12-24) or time there (2026-12-24T17:00); now when left out.'),
      to: moment('Up to this day, included, or time there; a week when left out.'),
      with: ids(4, 'Only with one of these people or things, by id.'),
      party_size: partyInput,
      location_id: { type: 'string', maxLength: 100, description: 'Only at this place.' },
      limit: { type: 'integer', minimum: 1, maximum: MOST, default: USUAL },
    },
  },
  isShown: true,
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ service_ids, with: people = [], party_size, location_id, limit = USUAL, ...given }, asked) {
    const zone = asked.definition.business.timezone
    const plans = service_ids.map((id) => serviceOf(asked, id))
    const from = given.from === undefined ? written(zone, asked.now.getTime()) : onClock(given.from, zone)
    const until = given.to === undefined ? laterThan(from, zone) : onClock(given.to, zone)
    const to = until === from ? justAfter(from, zone) : until
    const wish = { from, to, people, party: party_size, location: location_id, limit }
    refuseUnknown(plans, wish)
    const { times, moreFrom, ...found } = await freeTimes(plans, wish, asked)
    const pricesIn = (speech: Speech) => Promise.all(plans.map((plan) => priceText(speech, plan, { now: asked.now })))
    const told = await pricesIn(english())
    const prices = new Map(plans.map((plan, index) => [plan.service.id, told[index]]))
    const more = moreFrom === undefined ? undefined : written(zone, moreFrom)
    const why =
      times.length === 0 ? await explained(plans, { ...wish, to: sooner(to, laterThan(from, zone)) }, asked) : []
    const isNear = why.some(({ instead }) => instead.length > 0)
    const notices = noticesBeside(why, found.notices)
    const shown = plans.filter((plan) => times.some((time) => time.plan === plan))
    return {
      text: lines(
        times.length === 0
          ? `Nothing is free from ${from} to ${to}.`
          : `Free times, by the clock of the business (${zone}):`,
        ...shown.flatMap((plan) => [
          `${plan.service.id} ${theirs(plan.service.name)}, ${prices.get(plan.service.id)}:`,
          ...times.filter((time) => time.plan === plan).map((time) => timeText(time, zone)),
        ]),
        ...why.flatMap((one) => insteadText(one, zone)),
        ...notices.map((notice) => `Note: ${theirs(notice, 300)}`),
        more !== undefined && `There are more: call find_times with from="${more}".`,
        times.length > 0
          ? `Next: when the person has chosen call book with that slot_id${partyText(plans, party_size)}.`
          : isNear
            ? `Next: offer the person what comes nearest, and call book with its slot_id${partyText(plans, party_size)}; or call find_times for other days.`
            : 'Next: call find_times for other days, or for another service.',
      ),
      data: {
        timezone: zone,
        prices: Object.fromEntries(prices),
        times: times.map((time) => timeData(time, zone)),
        ...(why.length > 0 && { why: why.map(insteadData) }),
        ...(more !== undefined && { more_from: more }),
        their_words: {
          names: namesIn(times),
          ...(notices.length > 0 && { notices: notices.map((notice) => cut(notice, 300)) }),
        },
      },
      words: pricesIn,
    }
  },
})

/** What services, people and places are called, by id. */
const namesIn = (times: readonly FreeTime[]) =>
  Object.fromEntries(
    times
      .flatMap(({ plan: { service, business, locations }, slots }) => [
        service,
        ...slots.slice(0, MOST_SLOTS).flatMap(({ resources = [] }) => resources),
        ...(locations.length > 1 ? (business.locations ?? []).filter(({ id }) => locations.includes(id)) : []),
      ])
      .flatMap(({ id, name }) => (id !== undefined && name !== undefined ? [[id, cut(name, 100)]] : [])),
  )

/** What somebody writes who looks at the clock of the business, with its offset. */
const onClock = (text: string, zone: string): string =>
  new RegExp(LOCAL).test(text) ? written(zone, firstInstantOf(zone, Date.parse(`${text}Z`))) : text

/** Whichever is earlier; a day and a moment are near enough to each other. */
const sooner = (one: string, other: string): string => (Date.parse(other) < Date.parse(one) ? other : one)

/** A slot says nothing of how many come. */
const partyText = (plans: readonly Plan[], party: number | undefined): string =>
  party !== undefined
    ? ` and party_size=${party}`
    : plans.some((plan) => partySizes(plan).length > 1)
      ? ' and how many come as party_size'
      : ''

/** A day for a day, a moment for a moment. */
const laterThan = (from: string, zone: string): string =>
  /t/i.test(from) ? dateIn(zone, readMoment('from', from) + USUAL_DAYS * DAY) : daysLater(from, USUAL_DAYS)

/** One moment is a minute, in which something may begin; a day is a day. */
const justAfter = (moment: string, zone: string): string =>
  /t/i.test(moment) ? written(zone, readMoment('from', moment) + MINUTE) : moment

/** What was explained needs no notice. */
const noticesBeside = (why: readonly Explained[], notices: readonly Message[]): string[] => [
  ...new Set(notices.flatMap(({ code, content }) => (why.length > 0 && code === 'no_availability' ? [] : [content]))),
]
