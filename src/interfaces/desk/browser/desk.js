/**
 * Keeps an open page of the desk (the staff pages) up to date. After each change on the server, the script fetches the
 * page again and replaces its content. Without scripts, the page does not update itself.
 */

import { clockAt, isGrid, letDrag, quarterAt } from './drag.js'
import { showLanguageTabs } from './language-tabs.js'
import { tellOf } from './notify.js'
import { isEdited, isSame, pageOf, replaceContent } from './page-content.js'
import { letOpenPanel, renewPanel } from './panel.js'
import './passkey.js'
import './picture.js'
import './push.js'

const main = document.querySelector('main')

if (main && document.querySelector('header nav')) {
  const { newest = '' } = document.body.dataset
  const line = new EventSource(`/desk/live?${new URLSearchParams({ seen: newest })}`)
  line.addEventListener('message', renewAll)
  // The data may have changed while the connection was lost. Therefore the script fetches the page again after a
  // reconnect.
  line.addEventListener('error', () => line.addEventListener('open', renewAll, { once: true }))
  // The data may have changed while the page was hidden or the computer was asleep. Therefore the script fetches the
  // page again.
  document.addEventListener('visibilitychange', () => document.hidden || renewAll())
}

// Some browsers have no service workers, or only on secure pages. The desk works without them.
navigator.serviceWorker?.register('/desk/worker.js', { scope: '/desk' }).then(sendLanguage, () => {})

/** Tells the service worker the language of the page, so that the stored offline page has the same language. */
async function sendLanguage() {
  const { active } = await navigator.serviceWorker.ready
  active.postMessage({ language: document.documentElement.lang })
}

main?.addEventListener('click', ({ target, offsetY }) => {
  if (!target.matches('ol[data-book]') || !isGrid(target)) return
  location.href = `${target.dataset.book}&at=${clockAt(target, quarterAt(target, offsetY))}`
})

document.addEventListener('click', ({ target }) => {
  if (target.closest('[data-print]')) print()
  if (target.matches('[data-copy]')) void copy(target)
})

// A browser cannot show its message about a field in a closed section. Therefore the script opens the section.
document.addEventListener(
  'invalid',
  ({ target }) => {
    for (let part = target.closest('details'); part; part = part.parentElement.closest('details')) part.open = true
  },
  { capture: true },
)

/**
 * After the user presses a copy button, no refresh replaces the button for this many milliseconds. The user thus has
 * time to read the new text on the button.
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
      renewAll()
    }, READ_MS)
  }
}

if (main) letDrag(main, drop)
if (main) showLanguageTabs(main)
if (main) letOpenPanel(main, () => void renew())
showNow()

/** Scrolls the calendar to the chosen day and, on the day of today, to the current time. */
function showNow() {
  const columns = main?.querySelector('.columns:not(.lists)')
  const now = columns?.querySelector('.now')
  const day = columns?.querySelector(`section[id$="-${document.querySelector('#date')?.value}"]`)
  if (now) columns.scrollTop = now.offsetTop - columns.clientHeight / 3
  if (day) columns.scrollLeft = day.offsetLeft - columns.querySelector('.hours').offsetWidth
}

/**
 * Whether the user has moved a booking, and the script still waits for the server's response. During this time, no
 * refresh may replace the page.
 */
let isAnswerDue = false

/**
 * Sends the move of a booking to the server, and shows the page from the response. The browser does not load a new
 * page, so the scroll position stays the same.
 */
async function drop(address, place) {
  newestRenewal++
  isAnswerDue = true
  const body = new URLSearchParams({ ...place, form: newToken() })
  const answer = await fetch(address, { method: 'POST', body })
    .then(async (one) => ({ url: one.url, text: await one.text() }))
    .catch(() => undefined)
  isAnswerDue = false
  // If a refresh started before this response arrived, the refresh has older data. The new number makes the script
  // discard that refresh.
  newestRenewal++
  if (!answer) return location.reload()
  const next = pageOf(answer.text)
  history.pushState(null, '', answer.url)
  shown = answer.url
  document.title = next.title
  keepCount(next)
  showMain(next.querySelector('main'))
}

let drops = 0

/**
 * Creates the form token for a booking that the user dropped at a new time. Each drop needs its own token. The script
 * adds a new number to the newest token on the page, and the server accepts any suffix.
 */
const newToken = () => `${[...document.querySelectorAll('[name=form]')].at(-1).value}-${++drops}`

/** The address of the page that the script shows. Comparisons ignore the part after the `#`. */
let shown = location.href
const isShown = () => location.href.split('#')[0] === shown.split('#')[0]

addEventListener('popstate', () => isShown() || location.reload())

/**
 * The select field for the time zone of the business. The server can be in another time zone than the user. Therefore
 * the script preselects the time zone of the browser.
 */
const zone = main?.querySelector('[data-guess=zone] select')
const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone
if ([...(zone?.options ?? [])].some(({ value }) => value === browserZone)) zone.value = browserZone

/** Whether a refresh of the page must wait, because a response is due or the user edits the page. */
const isBusy = () => isAnswerDue || isEdited(main)

let newestRenewal = 0

function renewAll() {
  void renew()
  void renewPanel()
}

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
  showMain(next)
}

function showMain(next) {
  main.className = next.className
  replaceContent(main, next)
}

const COUNT = /^(\(\d+\+?\) )?/

/**
 * Updates the number of inbox items on the page. The script does this even while the user's input prevents a refresh of
 * the page.
 */
function keepCount(page) {
  const [before, now] = [document, page].map((one) => one.querySelector('[data-inbox]'))
  if (!before || !now) return
  document.title = document.title.replace(COUNT, COUNT.exec(page.title)[0])
  tellOf(now.dataset.inbox - before.dataset.inbox, now.parentElement.textContent)
  before.replaceWith(now)
}
