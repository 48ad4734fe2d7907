import { moveScreen } from './bookings.js'
import { button, field, make, show, title, use } from './screen.js'
import { clockText, dayText, money, say, translated, zoneText } from './words.js'

/**
 * The screen with the free times of each day. The person chooses a time for a new booking, or a new time for the
 * existing booking `moves`. `input` contains the arguments of the tool `find_times`.
 */
export const timesScreen =
  (result, { input, moves, person, at }) =>
  () => {
    const { times, timezone: zone, prices, more_from, their_words } = result.structuredContent
    const { names = {}, notices = [] } = their_words ?? {}
    const [only, ...others] = new Set(times.map(({ service_id }) => service_id))
    const service = others.length === 0 ? only : undefined
    const places = [...new Set(times.flatMap(({ slots }) => slots.flatMap((slot) => slot.location_id ?? [])))]
    // If all times belong to one service, the screen shows the times at one location. The person can choose another
    // location.
    const usual = places.find((id) => id === moves?.location_id) ?? places[0]
    const place = at ?? (service || places.length === 1 ? usual : undefined)
    const context = { result, input, moves, person, at, zone, names, service, place }
    const days = Map.groupBy(times, ({ start }) => dayText(zone, start))
    return [
      title(moves ? say('booking.move') : (names[service] ?? say(times.length > 0 ? 'book.show_times' : 'book.none'))),
      moves && make('p', { dir: 'auto' }, moves.their_words.name),
      service && !moves && make('p', { className: 'facts' }, translated(result, prices[service])),
      place && placeField(places, context),
      ...notices.map((notice) => make('p', { className: 'note', dir: 'auto' }, notice)),
      personField(context),
      ...[...days].flatMap(([day, ones]) => {
        const buttons = ones.flatMap((time) => timeButtons(time, context))
        return buttons.length > 0 ? [make('h2', {}, day), make('ul', { className: 'times' }, ...buttons)] : []
      }),
      times.length > 0 && make('p', { className: 'soft' }, say('book.zone', { zone: zoneText(zone) })),
      more_from &&
        button(say('desk.week.after'), () => later({ ...input, from: more_from }, moves), { className: 'plain' }),
      moves && button(say('booking.keep'), moves.back, { className: 'plain' }),
    ]
  }

const later = ({ to: _, ...input }, moves) => use('find_times', { ...input, limit: 25 }, { besides: { moves } })

const isAt = ({ location_id }, place) => !place || !location_id || location_id === place
const isWith = (slot, person) => !person || slot.with?.includes(person)

/** Creates the buttons for one time: one button for each location that has a slot at this time. */
function timeButtons({ service_id, start, end, slots }, context) {
  const { person, zone, names, service, place } = context
  const fit = slots.filter((slot) => isAt(slot, place) && isWith(slot, person))
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
    const press = () => choose({ slot, start, end }, context)
    const control = button(clock, press, { className: 'time' })
    if (control && about.length > 0) control.append(make('small', {}, about.join(' · ')))
    return make('li', {}, control || `${clock} ${about.join(' · ')}`)
  })
}

function choose({ slot, start, end }, { result, input, moves, person, at }) {
  const back = () => show(timesScreen(result, { input, moves, person, at }), { isAnswer: true })
  const { slot_id } = slot
  if (moves) return show(moveScreen(moves, { slot_id, start, end, back }), { isAnswer: true })
  const party = input.party_size !== undefined && { party_size: input.party_size }
  void use(slot.full ? 'join_waitlist' : 'book', { slot_id, ...(!slot.full && party) }, { besides: { search: input } })
}

/**
 * The select field for the location. If the person changes the location, the screen clears the chosen staff member,
 * because not every staff member works at each location.
 */
function placeField(places, { result, names, place, person: _, ...context }) {
  if (places.length === 1) return make('p', { className: 'soft', dir: 'auto' }, names[place] ?? place)
  const options = places.map((id) => ({ value: id, text: names[id] ?? id, selected: id === place }))
  return field('place', say('book.place'), options, (at) => show(timesScreen(result, { ...context, at })))
}

function personField({ result, names, place, person, ...context }) {
  const slots = result.structuredContent.times.flatMap((time) => time.slots.filter((slot) => isAt(slot, place)))
  const ids = [...new Set(slots.flatMap((slot) => slot.with ?? []))]
  if (ids.length < 2) return undefined
  const options = [
    { value: '', text: say('book.anyone') },
    ...ids.map((id) => ({ value: id, text: names[id] ?? id, selected: id === person })),
  ]
  const choose = (id) => show(timesScreen(result, { ...context, person: id || undefined }))
  return field('person', say('book.with'), options, choose)
}
