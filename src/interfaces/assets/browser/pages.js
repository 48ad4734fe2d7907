/**
 * Improves the pages for buyers. Each page also works without scripts.
 * - Links and forms with the attribute `data-swap` replace the page content without a reload.
 * - On a phone, the bar with the price is hidden while the times are in sight.
 * - A countdown shows the remaining time of a hold (a slot that is reserved for the visitor).
 * - Times also appear in the time zone of the visitor.
 * - A page in a frame reports its height and title to the surrounding page, and opens other sites in a new tab.
 * - Copy buttons copy the value next to them.
 */

const isFramed = window.parent !== window

if (isFramed) {
  document.documentElement.classList.add('framed')
  new ResizeObserver(tellSelf).observe(document.documentElement)
  document.addEventListener('click', openBeside, true)
}

function tellSelf() {
  const height = Math.ceil(document.body.getBoundingClientRect().height)
  window.parent.postMessage({ type: 'usp-booking', height, title: document.title }, '*')
}

/**
 * Opens links to other sites in a new tab. Most sites, and some pages of this server, do not work in a frame. With a
 * new tab, the tab with the booking also stays open.
 */
function openBeside({ target }) {
  const link = target instanceof Element ? target.closest('a[href]') : null
  const isElsewhere = link && (link.origin !== location.origin || link.target === '_top')
  if (isElsewhere && /^https?:$/.test(link.protocol)) link.target = '_blank'
}

/**
 * The number of the newest replacement of the page content. The script discards the response to an older replacement.
 */
let newestSwap = 0

async function swap(url, remember) {
  const from = document.querySelector('[data-swapped]')
  if (!from) return location.assign(url)
  const mine = ++newestSwap
  from.setAttribute('aria-busy', 'true')
  try {
    const answer = await fetch(url, { headers: { accept: 'text/html' } })
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    if (mine !== newestSwap) return
    const next = page.querySelector('[data-swapped]')
    if (!answer.ok || !next) return location.assign(url)
    const focused = document.activeElement?.id
    for (const part of ['[data-swapped]', 'main > .facts', '.choose-bar', 'nav.languages']) {
      const [old, fresh] = [document.querySelector(part), page.querySelector(part)]
      if (old && fresh) old.replaceWith(document.adoptNode(fresh))
    }
    document.querySelector('main > [role=alert]')?.remove()
    if (remember) {
      history.replaceState({ swapped: true }, '')
      history.pushState({ swapped: true }, '', url)
    }
    const { hash } = new URL(url, location.href)
    const target = hash.length > 1 ? document.getElementById(hash.slice(1)) : document.getElementById(focused)
    target?.focus({ preventScroll: hash.length < 2 })
    enhance()
  } catch {
    if (mine === newestSwap) location.assign(url)
  }
}

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element && event.target.closest('a[data-swap]')
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
  event.preventDefault()
  swap(link.href, true)
})

document.addEventListener('change', ({ target }) => {
  const form = target instanceof Element && target.closest('form[data-swap]')
  if (form) swap(`${form.action.split(/[?#]/)[0]}?${new URLSearchParams(new FormData(form))}`, true)
})

/**
 * If a script replaced the page content, the browser cannot go back to the earlier content on its own. Therefore the
 * script fetches the earlier content when the visitor goes back in the browser history.
 */
addEventListener('popstate', ({ state }) => state?.swapped && swap(location.href, false))

/** Removes each image that fails to load. Also removes images that failed before this script started. */
document.addEventListener('error', ({ target }) => target instanceof HTMLImageElement && target.remove(), true)
for (const image of document.images) if (image.complete && image.naturalWidth === 0) image.remove()

/** Submits a form only once, even if the visitor presses the button several times. */
document.addEventListener('submit', (event) => {
  const { target: form } = event
  if (!(form instanceof HTMLFormElement) || form.method !== 'post') return
  if (form.dataset.sent) return event.preventDefault()
  form.dataset.sent = 'yes'
})

addEventListener('pageshow', () => {
  for (const form of document.forms) delete form.dataset.sent
})

/**
 * Copies the value next to a copy button. If the script has no access to the clipboard, it selects the value instead.
 * The visitor can then copy the value by hand.
 */
document.addEventListener('click', async ({ target }) => {
  const button = target instanceof Element && target.closest('[data-copy]')
  if (!button) return
  try {
    await navigator.clipboard.writeText(button.dataset.copy)
  } catch {
    getSelection()?.selectAllChildren(button.closest('div').querySelector('dd'))
    return
  }
  const { textContent: words } = button
  if (words === button.dataset.done) return
  button.textContent = button.dataset.done
  setTimeout(() => {
    button.textContent = words
  }, 2_000)
})

/**
 * Shows the remaining minutes of a hold (a slot that is reserved for the visitor). The countdown starts when the page
 * loads. The countdown does not use the visitor's clock, because this clock can be wrong.
 */
function countDown() {
  for (const one of document.querySelectorAll('[data-seconds]')) {
    const left = Number(one.dataset.seconds) - performance.now() / 1000
    const timeLeft = JSON.parse(one.dataset.left)[Math.max(0, Math.ceil(left / 60))]
    if (timeLeft && timeLeft !== one.textContent) one.textContent = timeLeft
    if (left > 0) continue
    // The hold (the time reserved for the visitor) has ended. The buttons of the form no longer work. The visitor can
    // still read and copy their input.
    one.parentElement.textContent = one.dataset.lapsed
    for (const button of document.querySelectorAll('main form button')) button.disabled = true
  }
}

/** If the visitor is in another time zone than the business, adds the visitor's local time to each shown time. */
function tellOwnTimes() {
  const visitorZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  for (const one of document.querySelectorAll('[data-zone]')) {
    const instant = new Date(one.dataset.instant)
    const form = { hour: 'numeric', minute: '2-digit', weekday: 'short' }
    const write = (timeZone) =>
      new Intl.DateTimeFormat(document.documentElement.lang, { ...form, timeZone }).format(instant)
    if (visitorZone === one.dataset.zone || write(visitorZone) === write(one.dataset.zone)) continue
    one.hidden = false
    one.textContent = one.dataset.words
      .replace('{time}', write(visitorZone))
      .replace('{zone}', visitorZone.replaceAll('_', ' '))
  }
}

/** The margin is the height of the bar: times behind the bar are not in sight. */
const timesInSight = new IntersectionObserver(
  (entries) => {
    const bar = document.querySelector('.choose-bar')
    if (bar) bar.hidden = entries.at(-1).isIntersecting
  },
  { rootMargin: '0px 0px -64px' },
)

/** Hides the bar with the price and the link to the times while the times are in sight. */
function watchTimes() {
  timesInSight.disconnect()
  const times = document.querySelector('section[aria-labelledby=times]')
  if (times) timesInSight.observe(times)
}

function enhance() {
  watchTimes()
  tellOwnTimes()
  countDown()
}

enhance()
setInterval(countDown, 5_000)
