/**
 * Keeps an open desk as it is now: when something was done, by whoever, the page is asked for again and what it shows is
 * put in its place. Without scripts the page is right whenever it is opened.
 */

const main = document.querySelector('main')

if (main && document.querySelector('header nav')) {
  new EventSource('/desk/live').addEventListener('message', () => void renew())
  // What changed while nobody looked, or while the machine slept.
  document.addEventListener('visibilitychange', () => document.hidden || void renew())
}

/** Five minutes of the day are a row of this many pixels; who presses a gap means the quarter of an hour there. */
const ROW = 6
const QUARTER = 3

main?.addEventListener('click', ({ target, offsetY }) => {
  if (!target.matches('ol[data-book]') || getComputedStyle(target).display !== 'grid') return
  const [hour, minute] = target.dataset.first.split(':').map(Number)
  const minutes = hour * 60 + minute + Math.floor(offsetY / ROW / QUARTER) * QUARTER * 5
  const at = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
  location.href = `${target.dataset.book}&at=${at}`
})

/** What somebody is writing, has chosen or has opened is left to them. */
const isBusy = () =>
  main.contains(document.activeElement?.closest('input, textarea, select')) ||
  main.querySelector('details[open]') ||
  [...main.querySelectorAll('input, textarea')].some(
    ({ value, defaultValue, checked, defaultChecked }) => value !== defaultValue || checked !== defaultChecked,
  )

let wish = 0

async function renew() {
  if (isBusy()) return
  const mine = ++wish
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => undefined)
  if (!answer?.ok || mine !== wish) return
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main')
  if (!next || isBusy() || mine !== wish || next.innerHTML === main.innerHTML) return
  const focused = document.activeElement?.getAttribute('href')
  const columns = main.querySelector('.columns')?.scrollLeft
  main.replaceChildren(...next.childNodes)
  if (focused) main.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus()
  if (columns) main.querySelector('.columns')?.scrollTo(columns, 0)
}
