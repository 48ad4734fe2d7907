import { Temporal } from 'temporal-polyfill'
import { secondsOf } from '../../src/infra/time/time-units.ts'
import type {
  BusinessDefinition,
  OpeningWindow,
  RequirementDefinition,
  ResourceDefinition,
  Rota,
  RotaWeek,
  ServiceDefinition,
  SpecialHours,
  TimeOff,
} from '../../src/protocol/types.generated.ts'

/** A slow model of what is offered: it looks at the clock on the wall minute by minute and tries everything. */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const WEEKDAYS = ['', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** What the clock shows in each minute of some days. */
interface Wall {
  first: number
  /** `2026-03-08T01:30` */
  shown: string[]
  /** The first minute in which each is shown. */
  minutes: ReadonlyMap<string, number>
  dates: string[]
}

export type Taken = ReadonlyMap<string, (readonly [from: number, to: number])[]>

export interface Asked {
  definition: BusinessDefinition
  service: ServiceDefinition
  range: readonly [from: number, to: number]
  taken: Taken
  party: number
}

/** `start end location resource …` of everything that can be had, earliest first. */
export function everythingOffered(asked: Asked): string[] {
  const { definition, service, range } = asked
  const longest = Math.max(...lengths(service), ...ownLengths(service).values())
  const wall = wallOf(definition.business.timezone, range[0], range[1] + longest * MINUTE)
  const found = placesOf(definition, service).flatMap((place) => offeredAt(asked, wall, place))
  return found
    .sort((one, other) => one.start - other.start || one.end - other.end || (one.text < other.text ? -1 : 1))
    .map(({ text }) => text)
}

function wallOf(zone: string, from: number, to: number): Wall {
  const at = (instant: number) => Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone)
  const first = at(from).startOfDay().epochMilliseconds
  const last = at(to).startOfDay().add({ days: 1 }).startOfDay().epochMilliseconds
  const offset = (instant: number) => at(instant).offsetNanoseconds / 1e6
  const shown: string[] = []
  for (let now = first, known = offset(first), next = known; now < last; now += HOUR, known = next) {
    next = offset(now + HOUR)
    for (let minute = now; minute < Math.min(now + HOUR, last); minute += MINUTE)
      shown.push(new Date(minute + (known === next ? known : offset(minute))).toISOString().slice(0, 16))
  }
  const minutes = new Map(shown.map((text, minute): [string, number] => [text, minute]).reverse())
  return { first, shown, minutes, dates: [...new Set(shown.map((text) => text.slice(0, 10)))] }
}

/** The first minute of the wall in which it shows this or, where it skips it, a later time. */
function minuteOf({ shown, minutes }: Wall, text: string): number {
  const found = minutes.get(text) ?? shown.findIndex((one) => one >= text)
  return found < 0 ? shown.length : found
}

const nextDay = (date: string) => Temporal.PlainDate.from(date).add({ days: 1 }).toString()
const endOf = (date: string, closes: string) =>
  closes === '24:00' || closes === '00:00' ? `${nextDay(date)}T00:00` : `${date}T${closes}`

type Window = Pick<OpeningWindow, 'opens' | 'closes'>

/** For each minute the number of the window that it lies in, or 0: windows that overlap are one. */
function windowsOf(wall: Wall, windowsOn: (date: string) => readonly Window[]): number[] {
  const minutes: number[] = Array(wall.shown.length).fill(0)
  let number = 0
  for (const date of wall.dates) {
    const todays = windowsOn(date)
      .map(({ opens, closes }) => [minuteOf(wall, `${date}T${opens}`), minuteOf(wall, endOf(date, closes))] as const)
      .toSorted(([one], [other]) => one - other)
    for (const [from, to] of todays) {
      const into = minutes[from] || ++number
      for (let minute = from; minute < to; minute++) minutes[minute] = into
    }
  }
  return minutes
}

const weekdayOf = (date: string) => WEEKDAYS[Temporal.PlainDate.from(date).dayOfWeek]

/** What every week has on this day. */
const weekly = (hours: OpeningWindow[] | undefined, date: string): readonly Window[] =>
  hours
    ? hours.filter(({ days }) => days.some((day) => day === weekdayOf(date)))
    : [{ opens: '00:00', closes: '24:00' }]

/** What is said of this day alone; of no day where nothing is. */
const said = (special: SpecialHours[], date: string): readonly Window[] =>
  special.filter(
    ({ from, to, days }) =>
      from <= date && date <= (to ?? from) && (days ? days.some((day) => day === weekdayOf(date)) : true),
  )

/** The windows of the business and of the place, but for days off; on a day that has its own neither counts. */
function openAt(wall: Wall, definition: BusinessDefinition, place: string | undefined) {
  const { hours, closures = [], special_hours = [], locations = [] } = definition
  const isHere = ({ locations: some }: { locations?: string[] }) =>
    !some || (place !== undefined && some.includes(place))
  const isClosed = (date: string) =>
    closures.some((closure) => closure.from <= date && date <= closure.to && isHere(closure))
  const saidHere = (date: string) => {
    const [named, others] = [
      special_hours.filter((one) => one.locations && isHere(one)),
      special_hours.filter((one) => !one.locations),
    ]
    return said(named, date).length > 0 ? said(named, date) : said(others, date)
  }
  const own = locations.find(({ id }) => id === place)?.hours
  return [hours, own].map((usual) =>
    windowsOf(wall, (date) => {
      if (isClosed(date)) return []
      return saidHere(date).length > 0 ? saidHere(date) : weekly(usual, date)
    }),
  )
}

/** Goes from week to week, on or back, until it has come to this day. */
function weekOf({ begins, weeks }: Rota, date: string): RotaWeek {
  let [monday, nth] = [Temporal.PlainDate.from(begins), 0]
  while (Temporal.PlainDate.compare(date, monday) < 0) [monday, nth] = [monday.subtract({ weeks: 1 }), nth - 1]
  while (Temporal.PlainDate.compare(date, monday.add({ weeks: 1 })) >= 0)
    [monday, nth] = [monday.add({ weeks: 1 }), nth + 1]
  while (nth < 0) nth += weeks.length
  return weeks[nth % weeks.length] ?? {}
}

function presence(wall: Wall, { hours, rota, special_hours = [], time_off = [] }: ResourceDefinition): number[] {
  const away = time_off.map(({ from, to }: TimeOff) => [
    minuteOf(wall, from.includes('T') ? from : `${from}T00:00`),
    minuteOf(wall, to.includes('T') ? to : `${nextDay(to)}T00:00`),
  ])
  const there = (date: string) =>
    said(special_hours, date).length > 0
      ? said(special_hours, date)
      : weekly(rota ? (weekOf(rota, date).hours ?? []) : hours, date)
  return windowsOf(wall, there).map((window, minute) =>
    away.some(([from = 0, to = 0]) => from <= minute && minute < to) ? 0 : window,
  )
}

interface Found {
  start: number
  end: number
  text: string
}

function offeredAt(
  { definition, service, range, taken, party }: Asked,
  wall: Wall,
  place: string | undefined,
): Found[] {
  const open = openAt(wall, definition, place)
  const present = new Map<string, number[]>()
  const presenceOf = (one: ResourceDefinition) => {
    const known = present.get(one.id) ?? presence(wall, one)
    present.set(one.id, known)
    return known
  }
  const here = (one: ResourceDefinition) => !one.locations || (place !== undefined && one.locations.includes(place))
  const [before, after] = keptFree(service)
  const step = minutesOf(service.policies.booking_window?.slot_interval ?? 'PT15M')
  const requirements = requirementsOf(definition, service)
  const candidatesOf = (selectable: boolean) =>
    requirements.filter((one) => (one.selectable ?? false) === selectable).map((one) => one.candidates.filter(here))

  const canHave = (one: ResourceDefinition, start: number, end: number) =>
    (one.seats ?? (service.type === 'reservation' ? (service.capacity?.max ?? 1) : party)) >= party &&
    !(taken.get(one.id) ?? []).some(
      ([from, to]) => from < wall.first + (end + after) * MINUTE && wall.first + (start - before) * MINUTE < to,
    )
  const own = ownLengths(service)
  const works = (one: ResourceDefinition, start: number, end: number) =>
    isOpen(presenceOf(one), start, end) && (own.get(one.id) ?? end - start) === end - start

  return everyChoice(candidatesOf(true))
    .filter((chosen) => new Set(chosen).size === chosen.length)
    .flatMap((chosen) => {
      const kinds = candidatesOf(false).map((candidates) => candidates.filter((one) => !chosen.includes(one)))
      const starts = new Set(
        everyChoice(kinds).flatMap((others) => gridOf([...open, ...[...chosen, ...others].map(presenceOf)], step)),
      )
      return [...starts].flatMap((start) =>
        (own.size > 0 ? [...new Set(own.values())] : lengths(service)).flatMap((length): Found[] => {
          const [end, instant] = [start + length, wall.first + start * MINUTE]
          const isAsked = range[0] <= instant && instant < range[1]
          if (!isAsked || !open.every((windows) => isOpen(windows, start, end))) return []
          if (!chosen.every((one) => works(one, start, end) && canHave(one, start, end))) return []
          const isServed = everyChoice(
            kinds.map((ones) => ones.filter((one) => works(one, start, end) && canHave(one, start, end))),
          ).some((others) => new Set(others).size === others.length)
          if (!isServed) return []
          const until = instant + length * MINUTE
          const text = [new Date(instant).toISOString(), length, place ?? '-', ...chosen.map(({ id }) => id)].join(' ')
          return [{ start: instant, end: until, text }]
        }),
      )
    })
}

/** From one minute up to another, whatever windows that takes. */
function isOpen(windows: number[], start: number, end: number): boolean {
  for (let minute = start; minute < end; minute++) if (!windows[minute]) return false
  return true
}

/** Minutes that are a whole number of steps after the first in which all of these windows are the same. */
function gridOf(sources: number[][], step: number): number[] {
  const starts: number[] = []
  let opening = 0
  for (let minute = 0; minute < (sources[0]?.length ?? 0); minute++) {
    if (sources.some((windows) => windows[minute] !== windows[minute - 1])) opening = minute
    if ((minute - opening) % step === 0 && sources.every((windows) => windows[minute])) starts.push(minute)
  }
  return starts
}

const everyChoice = <T>(lists: T[][]): T[][] =>
  lists.reduce<T[][]>((chosen, list) => chosen.flatMap((some) => list.map((one) => [...some, one])), [[]])

const minutesOf = (duration: string | undefined) => (duration === undefined ? 0 : secondsOf(duration) / 60)

/** Minutes before and after. */
export function keptFree({ duration: { buffer_before, buffer_after }, travel_time }: ServiceDefinition) {
  const travel = minutesOf(travel_time)
  return [minutesOf(buffer_before) + travel, minutesOf(buffer_after) + travel] as const
}

/** Of each of the kind that is named in rules, how long it takes with them. */
function ownLengths({ resources = [], duration_rules = [], duration }: ServiceDefinition): Map<string, number> {
  const ruleOf = (id: string) => duration_rules.find((rule) => rule.resources.includes(id))
  const kind = resources.find(({ options = [] }) => options.some(ruleOf))
  return new Map(kind?.options?.map((id) => [id, minutesOf((ruleOf(id) ?? duration).fixed)]))
}

function lengths({ duration: { fixed, range }, scheduled_duration }: ServiceDefinition): number[] {
  if (!range) return [minutesOf(fixed ?? scheduled_duration)]
  const found: number[] = []
  for (let length = minutesOf(range.min); length <= minutesOf(range.max); length += minutesOf(range.step))
    found.push(length)
  return found
}

function placesOf({ locations = [] }: BusinessDefinition, { locations: own, channel }: ServiceDefinition) {
  const isHere = channel.type === 'at_business_location' || channel.type === 'hybrid'
  return own ?? (isHere && locations.length > 0 ? locations.map(({ id }) => id) : [undefined])
}

function requirementsOf({ resources = [] }: BusinessDefinition, { id, resources: required = [] }: ServiceDefinition) {
  if (required.length === 0)
    return [
      {
        selectable: false,
        candidates: [{ id: `service:${id}`, type: 'other' as const, name: id } as ResourceDefinition],
      },
    ]
  return required.map(({ selectable, options, type }: RequirementDefinition) => ({
    selectable,
    candidates: resources.filter((one) => (options ? options.includes(one.id) : one.type === type)),
  }))
}
