/**
 * Keeps an open desk page up to date. After each change on the server, the script fetches the page again and replaces
 * its content. Without scripts, the page shows the data from the moment when the browser loaded it.
 */

import { clockAt, isGrid, letDrag, QUARTER, ROW } from './drag.js'
import { tellOf } from './notify.js'
import './passkey.js'

const main = document.querySelector('main')

if (main && document.querySelector('header nav')) {
  const { newest = '' } = document.body.dataset
  const line = new EventSource(`/desk/live?${new URLSearchParams({ seen: newest })}`)
  line.addEventListener('message', () => void renew())
  // The data may have changed while the browser had no connection, so the script refetches the page.
  line.addEventListener('error', () => line.addEventListener('open', () => void renew(), { once: true }))
  // The data may have changed while the page was hidden or the machine was asleep, so the script refetches the page.
  document.addEventListener('visibilitychange', () => document.hidden || void renew())
}

main?.addEventListener('click', ({ target, offsetY }) => {
  if (!target.matches('ol[data-book]') || !isGrid(target)) return
  location.href = `${target.dataset.book}&at=${clockAt(target, Math.floor(offsetY / ROW / QUARTER) * QUARTER)}`
})

main?.addEventListener('click', ({ target }) => {
  if (target.matches('[data-print]')) print()
  if (target.matches('[data-copy]')) void copy(target)
})

/**
 * For this many milliseconds after a press, no refresh replaces a copy button. The user thus has time to read the
 * button's new text.
 */
const READ_MS = 5_000

async function copy(button) {
  button.dataset.read = ''
  try {
    await navigator.clipboard.writeText(button.dataset.copy)
    button.textContent = button.dataset.done
  } finally {
    setTimeout(() => {
      delete button.dataset.read
      void renew()
    }, READ_MS)
  }
}

if (main) letDrag(main, drop)

/**
 * Whether the script waits for the response to a move of a booking. Until the response arrives, no refresh may replace
 * the page.
 */
let isAnswerDue = false

/**
 * Sends the move of a booking, and replaces the content with the resulting page. The browser loads no new page, so the
 * scroll position stays the same.
 */
async function drop(address, place) {
  newestRenewal++
  isAnswerDue = true
  const body = new URLSearchParams({ ...place, form: newToken() })
  const answer = await fetch(address, { method: 'POST', body })
    .then(async (one) => ({ url: one.url, text: await one.text() }))
    .catch(() => undefined)
  isAnswerDue = false
  // If a refresh started before this response arrived, it has older data. The script then discards that refresh.
  newestRenewal++
  if (!answer) return location.reload()
  const next = pageOf(answer.text)
  history.pushState(null, '', answer.url)
  shown = answer.url
  document.title = next.title
  keepCount(next)
  show(next.querySelector('main'))
}

let drops = 0

/**
 * Creates the form token for a booking that the user dropped at a new time. Each drop needs a new token: the newest
 * token on the page, which is the last one, plus a new suffix. The server accepts any suffix.
 */
const newToken = () => `${[...document.querySelectorAll('[name=form]')].at(-1).value}-${++drops}`

/**
 * Removes the form tokens from the HTML of two pages before the script compares them, because each response has new
 * tokens.
 */
const withoutTokens = (markup) => markup.replace(/ name="form" value="[^"]*"/g, '')

/** The address of the page that the script shows. Comparisons ignore the part after the `#`. */
let shown = location.href
const isShown = () => location.href.split('#')[0] === shown.split('#')[0]

addEventListener('popstate', () => isShown() || location.reload())

/**
 * The field for the time zone of the business. The server can be in another zone than the user, so the script selects
 * the browser's zone.
 */
const zone = main?.querySelector('[data-guess=zone] select')
const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone
if ([...(zone?.options ?? [])].some(({ value }) => value === browserZone)) zone.value = browserZone

/** Whether a refresh of the page must wait, because the user edits a field, has opened a section, or sees an error. */
const isBusy = () =>
  isAnswerDue ||
  main.contains(document.activeElement?.closest('input, textarea, select')) ||
  main.querySelector('details[open], [role=alert], [data-draft], [data-read], .dropping') ||
  [...main.querySelectorAll('input, textarea')].some(
    ({ value, defaultValue, checked, defaultChecked }) => value !== defaultValue || checked !== defaultChecked,
  )

let newestRenewal = 0

async function renew() {
  const mine = ++newestRenewal
  const address = location.href
  const answer = await fetch(address, { headers: { accept: 'text/html' } }).catch(() => undefined)
  if (!answer?.ok || mine !== newestRenewal) return
  const page = pageOf(await answer.text())
  if (mine !== newestRenewal) return
  keepCount(page)
  const next = page.querySelector('main')
  if (!next || isBusy() || location.href !== address || isSame(next, main)) return
  show(next)
}

const isSame = (one, other) => withoutTokens(one.innerHTML) === withoutTokens(other.innerHTML)

const COUNT = /^(\(\d+\+?\) )?/

/**
 * Shows the new number of inbox items on the page. The script does this even while the user's input prevents a refresh
 * of the page.
 */
function keepCount(page) {
  const [before, now] = [document, page].map((one) => one.querySelector('[data-inbox]'))
  if (!before || !now) return
  document.title = document.title.replace(COUNT, COUNT.exec(page.title)[0])
  tellOf(now.dataset.inbox - before.dataset.inbox, now.parentElement.textContent)
  before.replaceWith(now)
}

const pageOf = (text) => new DOMParser().parseFromString(text, 'text/html')

/**
 * Returns a text that identifies the focused element: its link target, or else its text and form. After a refresh, the
 * script finds the element by this text and focuses it again.
 */
const keyOf = (one) =>
  one.getAttribute('href') ?? one.textContent + withoutTokens((one.form ?? one.closest('details') ?? one).outerHTML)

function show(next) {
  const focused = main.contains(document.activeElement) && keyOf(document.activeElement)
  const scrolled = rowsOf(main).map(({ scrollLeft }) => scrollLeft)
  main.className = next.className
  main.replaceChildren(...next.childNodes)
  if (focused) [...main.querySelectorAll('a, button, summary')].find((one) => keyOf(one) === focused)?.focus()
  for (const [nth, one] of rowsOf(main).entries()) if (scrolled[nth]) one.scrollTo(scrolled[nth], 0)
}

/** The elements that can scroll sideways. A refresh of the page keeps their scroll position. */
const rowsOf = (main) => [...main.querySelectorAll('.columns')]
