/**
 * Keeps an open desk as it is now: when something was done, by whoever, the page is asked for again and what it shows is
 * put in its place. Without scripts the page is right whenever it is opened.
 */

import { clockAt, isGrid, letDrag, QUARTER, ROW } from './drag.js'
import { tellOf } from './notify.js'
import './passkey.js'

const main = document.querySelector('main')

if (main && document.querySelector('header nav')) {
  const { newest = '' } = document.body.dataset
  const line = new EventSource(`/desk/live?${new URLSearchParams({ seen: newest })}`)
  line.addEventListener('message', () => void renew())
  // What was done while it was cut.
  line.addEventListener('error', () => line.addEventListener('open', () => void renew(), { once: true }))
  // What changed while nobody looked, or while the machine slept.
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

/** So many milliseconds it is said that something is done, whatever else changes meanwhile. */
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

/** Whether what comes of something is on its way: what the page was until then is not put in its place. */
let isAnswerDue = false

/** The page that comes of it is shown where one is, so that nothing jumps. */
async function drop(address, place) {
  wish++
  isAnswerDue = true
  const body = new URLSearchParams({ ...place, form: newToken() })
  const answer = await fetch(address, { method: 'POST', body })
    .then(async (one) => ({ url: one.url, text: await one.text() }))
    .catch(() => undefined)
  isAnswerDue = false
  // Nor is what was asked for meanwhile.
  wish++
  if (!answer) return location.reload()
  const next = pageOf(answer.text)
  history.pushState(null, '', answer.url)
  shown = answer.url
  document.title = next.title
  keepCount(next)
  show(next.querySelector('main'))
}

let drops = 0

/** Each drop is a form of its own: the server takes any ending of a token, and the newest token of the page is the last. */
const newToken = () => `${[...document.querySelectorAll('[name=form]')].at(-1).value}-${++drops}`

/** Tokens differ each time a page is read. */
const withoutTokens = (markup) => markup.replace(/ name="form" value="[^"]*"/g, '')

/** Where one is, but for the part of the page. */
let shown = location.href
const isShown = () => location.href.split('#')[0] === shown.split('#')[0]

addEventListener('popstate', () => isShown() || location.reload())

/** A server in a data centre does not know where the business is; a browser that stands in it does. */
const zone = main?.querySelector('[data-guess=zone] select')
const here = Intl.DateTimeFormat().resolvedOptions().timeZone
if ([...(zone?.options ?? [])].some(({ value }) => value === here)) zone.value = here

/** What somebody is writing, has chosen or has opened is left to them, and so is what they were refused. */
const isBusy = () =>
  isAnswerDue ||
  main.contains(document.activeElement?.closest('input, textarea, select')) ||
  main.querySelector('details[open], [role=alert], [data-draft], [data-read], .dropping') ||
  [...main.querySelectorAll('input, textarea')].some(
    ({ value, defaultValue, checked, defaultChecked }) => value !== defaultValue || checked !== defaultChecked,
  )

let wish = 0

async function renew() {
  const mine = ++wish
  const address = location.href
  const answer = await fetch(address, { headers: { accept: 'text/html' } }).catch(() => undefined)
  if (!answer?.ok || mine !== wish) return
  const page = pageOf(await answer.text())
  if (mine !== wish) return
  keepCount(page)
  const next = page.querySelector('main')
  if (!next || isBusy() || location.href !== address || isSame(next, main)) return
  show(next)
}

const isSame = (one, other) => withoutTokens(one.innerHTML) === withoutTokens(other.innerHTML)

const COUNT = /^(\(\d+\+?\) )?/

/** How much waits in the inbox is kept as it is now, whatever somebody is at. */
function keepCount(page) {
  const [before, now] = [document, page].map((one) => one.querySelector('[data-inbox]'))
  if (!before || !now) return
  document.title = document.title.replace(COUNT, COUNT.exec(page.title)[0])
  tellOf(now.dataset.inbox - before.dataset.inbox, now.parentElement.textContent)
  before.replaceWith(now)
}

const pageOf = (text) => new DOMParser().parseFromString(text, 'text/html')

/** What somebody is at who uses the keyboard: what leads to the same, or does the same. */
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

/** What is wider than the screen may be, and is left where somebody scrolled it to. */
const rowsOf = (main) => [...main.querySelectorAll('.columns')]
