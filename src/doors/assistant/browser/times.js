import { moveScreen } from './bookings.js'
import { button, make, show, title, use } from './screen.js'
import { clockText, dayText, money, say, translated, zoneText } from './words.js'

/** Free times by days; for a booking that is to be moved, where one is given. `input` is what they were asked for with. */
export const timesScreen =
  (result, { input, moves, person }) =>
  () => {
    const { times, timezone: zone, prices, more_from, their_words } = result.structuredContent
    const { names = {}, notices = [] } = their_words ?? {}
    const [only, ...others] = new Set(times.map(({ service_id }) => service_id))
    const service = others.length === 0 ? only : undefined
    const places = new Set(times.flatMap(({ slots }) => slots.flatMap((slot) => slot.location_id ?? [])))
    const [place] = places.size === 1 ? places : []
    const context = { result, input, moves, person, zone, names, service, place }
    const days = Map.groupBy(times, ({ start }) => dayText(zone, start))
    return [
      title(moves ? say('booking.move') : (names[service] ?? say(times.length > 0 ? 'book.show_times' : 'book.none'))),
      moves && make('p', { dir: 'auto' }, moves.their_words.name),
      service && !moves && make('p', { className: 'facts' }, translated(result, prices[service])),
      place && make('p', { className: 'soft', dir: 'auto' }, names[place] ?? place),
      ...notices.map((notice) => make('p', { className: 'note', dir: 'auto' }, notice)),
      personField(context),
      ...[...days].flatMap(([day, ones]) => {
        const buttons = ones.flatMap((time) => timeButtons(time, context))
        return buttons.length > 0 ? [make('h2', {}, day), make('ul', { className: 'times' }, ...buttons)] : []
      }),
      times.length > 0 && make('p', { className: 'soft' }, say('book.zone', { zone: zoneText(zone) })),
      more_from && button(say('desk.week.after'), () => later({ ...input, from: more_from }, moves), { look: 'plain' }),
      moves && button(say('booking.keep'), moves.back, { look: 'plain' }),
    ]
  }

const later = ({ to: _, ...input }, moves) => use('find_times', { ...input, limit: 25 }, { besides: { moves } })

const isWith = (slot, person) => !person || slot.with?.includes(person)

/** One for each place where it can be then. */
function timeButtons({ service_id, start, end, slots }, { result, input, moves, person, zone, names, service, place }) {
  const fit = slots.filter((slot) => isWith(slot, person))
  return [...Map.groupBy(fit, ({ location_id }) => location_id).values()].map(([slot]) => {
    const left = slot.places_left
    const about = [
      !service && names[service_id],
      slot.location_id !== place && names[slot.location_id],
      slot.full && say('book.full'),
      !slot.full && left !== undefined && say('book.places_left', { count: left }),
      slot.amount !== undefined && money(slot.amount, slot.currency),
    ].filter(Boolean)
    const clock = clockText(zone, start)
    const press = () => choose({ slot, start, end, service_id }, { result, input, moves, person })
    const control = button(clock, press, { look: 'time' })
    if (control && about.length > 0) control.append(make('small', {}, about.join(' · ')))
    return make('li', {}, control || `${clock} ${about.join(' · ')}`)
  })
}

function choose({ slot, start, end }, { result, input, moves, person }) {
  const back = () => show(timesScreen(result, { input, moves, person }), { isAnswer: true })
  const { slot_id } = slot
  if (moves) return show(moveScreen(moves, { slot_id, start, end, back }), { isAnswer: true })
  const party = input.party_size !== undefined && { party_size: input.party_size }
  void use(slot.full ? 'join_waitlist' : 'book', { slot_id, ...(!slot.full && party) }, { besides: { asked: input } })
}

/** With whom, where several can. */
function personField({ result, input, moves, person, names }) {
  const ids = new Set(result.structuredContent.times.flatMap(({ slots }) => slots.flatMap((slot) => slot.with ?? [])))
  if (ids.size < 2) return undefined
  const option = (value, text) => make('option', { value, selected: value === (person ?? '') }, text)
  const control = make(
    'select',
    { id: 'person', onchange: () => show(timesScreen(result, { input, moves, person: control.value || undefined })) },
    option('', say('book.anyone')),
    ...[...ids].map((id) => option(id, names[id] ?? id)),
  )
  return make('p', {}, make('label', { htmlFor: control.id }, say('book.with')), control)
}
