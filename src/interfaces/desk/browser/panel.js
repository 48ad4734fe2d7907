/**
 * Shows a booking in a panel beside the calendar. Without scripts and on small screens, the booking has a page of its
 * own.
 */

import { isEdited, isSame, pageOf, replaceContent } from './page-content.js'

const WIDE = matchMedia('(min-width: 64rem)')
const BOOKING = '.columns .thing > a'

/** Opens the panel when the user presses a booking. Calls `changed` after the user submits a form in the panel. */
export function letOpenPanel(main, changed) {
  main.addEventListener('click', (event) => {
    const link = event.target.closest(BOOKING)
    if (!link || !WIDE.matches || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    void open(link.href, changed)
  })
}

let panel
/** The path of the booking that the user pressed, and the address of the page that the panel shows now. */
let pressed
let address
/** The number of the newest request of the panel. The answers to older requests are too late. */
let newest = 0

async function open(href, changed) {
  if (!panel) {
    panel = document.createElement('aside')
    panel.className = 'panel'
    panel.tabIndex = -1
    panel.addEventListener('submit', (event) => void submit(event, changed))
    panel.addEventListener('click', ({ target }) => target.closest('.close') && close())
    panel.addEventListener('keydown', ({ key }) => key === 'Escape' && close())
    document.body.append(panel)
  }
  pressed = new URL(href).pathname
  await show(href)
}

function close() {
  newest++
  panel.remove()
  panel = undefined
  document.querySelector(`${BOOKING}[href="${pressed}"]`)?.focus()
}

/** Sends a form of the panel, and shows the answer in the panel. A form of the method GET opens its own page. */
async function submit(event, changed) {
  const form = event.target
  if (form.method !== 'post') return
  event.preventDefault()
  const body = new URLSearchParams(new FormData(form, event.submitter))
  await show(form.getAttribute('action') ? form.action : address, { method: 'POST', body })
  changed()
}

/** Fetches a page and shows its content. If this fails, the browser opens the page, and shows the reason. */
async function show(href, options) {
  const mine = ++newest
  const answer = await fetch(href, options).catch(() => undefined)
  const content = answer && contentOf(await answer.text())
  if (mine !== newest) return
  if (!content) return location.assign(options ? address : href)
  address = answer.url
  panel.setAttribute('aria-label', content.querySelector('h1')?.textContent ?? '')
  replaceContent(panel, content)
  panel.scrollTop = 0
  panel.focus()
}

/** Shows the booking as it is now, unless the user edits it. */
export async function renewPanel() {
  const mine = newest
  if (!panel || isEdited(panel)) return
  const answer = await fetch(address).catch(() => undefined)
  const content = answer?.ok && contentOf(await answer.text())
  if (!content || mine !== newest || isEdited(panel) || isSame(content, panel)) return
  replaceContent(panel, content)
}

/** Returns the content of a desk page with the button that closes the panel. Undefined if nobody is signed in. */
function contentOf(text) {
  const page = pageOf(text)
  const main = page.querySelector('header nav') && page.querySelector('main')
  if (!main) return
  main.removeAttribute('class')
  main.prepend(document.querySelector('template[data-close]').content.cloneNode(true))
  return main
}
