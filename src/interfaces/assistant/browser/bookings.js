import { button, make, open, show, title, use } from './screen.js'
import { money, rangeText, say, translated } from './words.js'

export const bookingsScreen = (result) => () => {
  const { bookings } = result.structuredContent
  const back = () => show(bookingsScreen(result), { isAnswer: true })
  const heading = (text) => make('h2', { dir: 'auto' }, text)
  return [
    title(say('my.title')),
    bookings.length === 0
      ? make('p', {}, say('my.nothing_ahead'))
      : make(
          'ul',
          { className: 'cards' },
          ...bookings.map((one) => make('li', {}, ...bookingCard(one, { result, heading, back }).filter(Boolean))),
        ),
  ]
}

/**
 * The screen that shows one booking. The person also sees this screen after they have moved or canceled the booking.
 */
export const bookingScreen = (result) => () =>
  bookingCard(result.structuredContent, {
    result,
    heading: title,
    back: () => show(bookingScreen(result), { isAnswer: true }),
  })

export function bookingCard(booking, { result, heading, back }) {
  const { their_words, status, reference, timezone, canceling, can_move, can_cancel, left_to_do = [] } = booking
  const about = their_words.name
  const people = booking.with?.map(({ name }) => name).join(', ')
  return [
    heading(about),
    make('p', { className: 'when' }, rangeText(timezone, booking)),
    their_words.place && make('p', { dir: 'auto' }, their_words.place),
    people && make('p', { dir: 'auto' }, people),
    make('p', {}, make('strong', { className: status }, say(`my.state.${status}`))),
    reference && make('p', { className: 'soft' }, say('booking.reference', { reference })),
    canceling && make('p', { className: 'soft' }, translated(result, canceling)),
    ...left_to_do.map(({ type, link }) =>
      make('button', { type: 'button', onclick: () => void open(link) }, say(`booking.to_do.${type}`)),
    ),
    can_move && button(say('booking.move'), () => move(booking, back), { className: 'plain', about }),
    can_cancel &&
      button(say('booking.cancel'), () => show(cancelScreen(booking, { ...can_cancel, back }), { isAnswer: true }), {
        className: 'danger',
        about,
      }),
  ]
}

function move({ service_id, party_size, ...booking }, back) {
  const input = { service_ids: [service_id], limit: 25, ...(party_size > 1 && { party_size }) }
  void use('find_times', input, { besides: { moves: { ...booking, back } } })
}

export const moveScreen =
  (booking, { slot_id, start, end, back, cost, currency }) =>
  () => {
    const { booking_id, timezone, their_words } = booking
    const input = { booking_id, slot_id, ...(cost !== undefined && { agreed_cost: cost }) }
    const costs = (costData) =>
      show(moveScreen(booking, { slot_id, start, end, back, ...costData }), { isAnswer: true })
    const price = cost !== undefined && money(cost, currency)
    return [
      title(say('booking.move.title')),
      make('p', { dir: 'auto' }, their_words.name),
      ...[
        ['booking.move.from', booking],
        ['booking.move.to', { start, end }],
      ].map(([name, time]) =>
        make('p', {}, make('span', { className: 'soft' }, `${say(name)} `), rangeText(timezone, time)),
      ),
      button(price ? say('booking.move.paid', { price }) : say('booking.move.do'), () => {
        void use('move_booking', input, { costs })
      }),
      button(say('booking.move.other'), back, { className: 'plain' }),
    ]
  }

const cancelScreen =
  (booking, { cost, currency, back, hasChanged }) =>
  () => {
    const { booking_id, timezone, their_words } = booking
    const costs = (costData) => show(cancelScreen(booking, { ...costData, back, hasChanged: true }), { isAnswer: true })
    const input = { booking_id, ...(cost > 0 && { agreed_cost: cost }) }
    return [
      title(say('booking.cancel.title')),
      make('p', { dir: 'auto' }, their_words.name),
      make('p', { className: 'when' }, rangeText(timezone, booking)),
      hasChanged && make('p', { className: 'note' }, say('booking.cancel.changed')),
      make('p', {}, cost > 0 ? say('canceling.costs', { fee: money(cost, currency) }) : say('booking.cancel.free')),
      button(say('booking.cancel.do'), () => void use('cancel_booking', input, { costs }), { className: 'danger' }),
      button(say('booking.keep'), back, { className: 'plain' }),
    ]
  }
