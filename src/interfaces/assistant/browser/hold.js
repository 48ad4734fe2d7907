import { bookingCard } from './bookings.js'
import { ask } from './bridge.js'
import { button, make, open, report, show, title, use } from './screen.js'
import { clockText, rangeText, say, translated } from './words.js'

const EVERY = 5_000
const MINUTE = 60_000
/**
 * The maximum number of status requests for one hold (a reserved slot). The script sends a request every 5 seconds, so
 * the requests end after 15 minutes. Fifteen minutes are enough to fill in the booking form.
 */
const MOST_ASKED = 180

/**
 * The screen for a reserved slot, or for a full slot with a waitlist. A button on the screen opens the booking pages in
 * the browser.
 */
export function holdScreen(result, { search } = {}) {
  const held = result.structuredContent
  const isWaitlist = held.status_code === undefined && held.state === 'waiting_for_person'
  const deadline = { until: held.kept_until, isOver: false }
  let isAsking = false
  const again = () => show(screen)
  const goOn = () => {
    void open(held.link)
    if (held.status_code === undefined || isAsking) return
    isAsking = true
    void follow(held, deadline, again)
  }
  const screen = () => [
    title(held.their_words.name),
    ...whatItIs(held, result),
    deadline.isOver
      ? make('p', { className: 'note', role: 'status' }, say('book.once_more'))
      : deadline.until && minutes(deadline),
    isWaitlist || deadline.isOver || make('p', {}, say('view.not_yet')),
    !deadline.isOver &&
      make('button', { type: 'button', onclick: goOn }, say(isWaitlist ? 'book.waitlist' : 'view.go_on')),
    button(
      say('book.other_time'),
      () => void use('find_times', search ?? { service_ids: [held.service_id], limit: 25 }),
      { className: 'plain' },
    ),
  ]
  return screen
}

const whatItIs = ({ timezone, their_words: { place }, with: people, price, ...time }, result) => [
  make('p', { className: 'when' }, rangeText(timezone, time)),
  place && make('p', { dir: 'auto' }, place),
  people && make('p', { dir: 'auto' }, people.map(({ name }) => name).join(', ')),
  price && make('p', { className: 'facts' }, translated(result, price)),
]

/**
 * A note that counts down the minutes until the reservation ends. The reader can be in another time zone than the
 * business. Therefore the note shows the end in the reader's time zone.
 */
function minutes(deadline) {
  const left = make('span', {})
  const line = make(
    'p',
    { className: 'note' },
    say('book.kept.until', { time: clockText(undefined, deadline.until) }),
    ' ',
    left,
  )
  const count = () => {
    const count = Math.max(0, Math.ceil((Date.parse(deadline.until) - Date.now()) / MINUTE))
    left.textContent = say('book.kept', { count })
  }
  count()
  const timer = setInterval(() => (line.isConnected ? count() : clearInterval(timer)), EVERY)
  return line
}

/** Requests the status of the hold (a reserved slot) repeatedly until the booking exists or the hold has expired. */
async function follow({ status_code }, deadline, again) {
  for (let attempt = 0; attempt < MOST_ASKED; attempt++) {
    await new Promise((resolve) => setTimeout(resolve, EVERY))
    const call = { name: 'booking_status', arguments: { status_code } }
    const result = await ask('tools/call', call).catch(() => undefined)
    const { state, booking_status, kept_until } = result?.structuredContent ?? {}
    if (booking_status) {
      report(result)
      return show(bookedScreen(result), { isAnswer: true })
    }
    if (state === 'lapsed') deadline.isOver = true
    if (state === 'lapsed' || (kept_until && kept_until !== deadline.until)) {
      deadline.until = kept_until
      again()
    }
    if (deadline.isOver) return
  }
}

export function statusScreen(result) {
  const { state, booking_status, kept_until } = result.structuredContent
  if (booking_status) return bookedScreen(result)
  return () => [
    title(say('book.confirm')),
    make('p', { className: 'note' }, state === 'lapsed' ? say('book.once_more') : say('view.not_yet')),
    kept_until && make('p', {}, say('book.kept', { count: minutesUntil(kept_until) })),
  ]
}

const minutesUntil = (instant) => Math.max(0, Math.ceil((Date.parse(instant) - Date.now()) / MINUTE))

export const bookedScreen = (result) => () => {
  const { booking_status, ...booking } = result.structuredContent
  const one = { status: booking_status, ...booking }
  return bookingCard(one, { result, heading: title, back: () => show(bookedScreen(result), { isAnswer: true }) })
}
