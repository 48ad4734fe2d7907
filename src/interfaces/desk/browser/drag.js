/**
 * Lets a user drag a booking to another time, person or room with the mouse. During the drag, the page shows whether
 * the booking fits. After the drop, the server decides whether the move is possible. On touch screens and with the
 * keyboard, users press "Change time" in the booking instead.
 */

/** The number of five-minute rows in a quarter of an hour. A dropped booking starts at a full quarter of an hour. */
const QUARTER = 3

/** Returns the row at a distance in pixels from the top of the column. The row is at a full quarter of an hour. */
export const quarterAt = (column, pixels, round = Math.floor) => {
  const height = Number.parseFloat(getComputedStyle(column).getPropertyValue('--row'))
  return Math.max(0, round(pixels / height / QUARTER) * QUARTER)
}

/** How many pixels the pointer must move to start a drag. A shorter movement is a click. */
const SLACK = 5

export const clockAt = ({ dataset }, row) => {
  const [hour, minute] = dataset.first.split(':').map(Number)
  const minutes = hour * 60 + minute + row * 5
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
}

export const isGrid = (column) => getComputedStyle(column).display === 'grid'

/**
 * Lets the user drag bookings with the mouse. After a drop, calls the function `drop` with the address of the move
 * form, the new time and the new column.
 */
export function letDrag(main, drop) {
  main.addEventListener('dragstart', (event) => event.target.closest('.thing') && event.preventDefault())
  main.addEventListener('pointerdown', (event) => {
    const thing = event.target.closest('.columns[data-taken] .thing[data-move]')
    if (!thing || event.button !== 0 || event.pointerType === 'touch' || !isGrid(thing.parentElement)) return
    takeUp(thing, event, drop)
  })
}

function takeUp(thing, { clientX, clientY }, drop) {
  const held = clientY - thing.getBoundingClientRect().top
  const length = rowsOf(thing)[1]
  const ends = new AbortController()
  const on = (name, what) => addEventListener(name, what, { signal: ends.signal, capture: true })
  let ghost
  let place

  on('pointermove', (event) => {
    if (!ghost && Math.hypot(event.clientX - clientX, event.clientY - clientY) < SLACK) return
    ghost ??= begin(thing)
    const column = document.elementFromPoint(event.clientX, event.clientY)?.closest('.columns ol[data-to]')
    place = column && {
      column,
      row: quarterAt(column, event.clientY - held - column.getBoundingClientRect().top, Math.round),
    }
    show(ghost, place, { thing, length })
  })
  on('pointerup', () => {
    if (end()) swallowPress()
    if (!place) return
    const { column, row } = place
    const from = thing.parentElement.dataset.to
    if (column === thing.parentElement && row === rowsOf(thing)[0]) return
    const at = { start: `${column.dataset.day}T${clockAt(column, row)}`, to: column.dataset.to, back: 'day' }
    drop(`/desk/bookings/${thing.dataset.move}/move`, { ...at, ...(from && { from }) })
  })
  on('pointercancel', () => end())
  on('keydown', ({ key }) => key === 'Escape' && giveUp())
  // When a drag begins, the focused element can also send a `blur` event. Only a `blur` event of the whole window
  // cancels the drag.
  on('blur', ({ target }) => target === window && giveUp())

  /**
   * Cancels the drag of a booking. At this moment, the user still holds the mouse button. Therefore the later release
   * of the button must not count as a click.
   */
  function giveUp() {
    if (end()) addEventListener('pointerup', swallowPress, { once: true, capture: true })
  }

  function end() {
    ends.abort()
    if (!ghost) return false
    ghost.remove()
    thing.classList.remove('taken-up')
    document.documentElement.classList.remove('dragging')
    return true
  }
}

/** Prevents the click event that the browser sends after the drop of a booking. */
function swallowPress() {
  addEventListener('click', prevent, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', prevent, { capture: true }))
}

const prevent = (event) => {
  event.preventDefault()
  event.stopPropagation()
}

function begin(thing) {
  thing.classList.add('taken-up')
  document.documentElement.classList.add('dragging')
  return document.createElement('li')
}

/**
 * While the user drags a booking, shows the new start time at the pointer. If the booking does not fit there, also
 * shows the reason.
 */
function show(ghost, place, { thing, length }) {
  if (!place) return ghost.remove()
  const { column, row } = place
  const why = conflict(column, row, { thing, length })
  ghost.className = `thing dropping at${row} for${length}${why ? ' no' : ''}`
  const words = [timeText(clockAt(column, row)), why && column.closest('.columns').dataset[why]]
  ghost.textContent = words.filter(Boolean).join(' · ')
  if (ghost.parentElement !== column) column.append(ghost)
}

function conflict(column, row, { thing, length }) {
  const isIn = (selector) =>
    [...column.querySelectorAll(selector)].some((one) => {
      const [from, rows] = rowsOf(one)
      return one.dataset.move !== thing.dataset.move && from < row + length && from + rows > row
    })
  if (!column.dataset.services.split(' ').includes(thing.dataset.service)) return 'never'
  if (isIn('.thing:not(.dropping)')) return 'taken'
  return isIn('.closed') && 'closed'
}

const rowsOf = ({ className }) => ['at', 'for'].map((name) => Number(new RegExp(`\\b${name}(\\d+)`).exec(className)[1]))

function timeText(clock) {
  const time = new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: 'short', timeZone: 'UTC' })
  return time.format(new Date(`2000-01-01T${clock}Z`))
}
