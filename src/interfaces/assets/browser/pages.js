/**
 * Improves the pages for buyers. Each page also works without scripts.
 * - Links and forms with `data-swap` replace the content without a reload. A countdown shows the remaining time of a
 *   hold. Times also appear in the time zone of the visitor.
 * - A framed page reports its height and title, and opens other sites in a new tab. Copy buttons copy their text.
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
 * Opens links to other sites in a new tab, because most sites, and some pages of this server, do not work in a frame.
 * The tab with the booking also stays open.
 */
function openBeside({ target }) {
  const link = target instanceof Element ? target.closest('a[href]') : null
  const isElsewhere = link && (link.origin !== location.origin || link.target === '_top')
  if (isElsewhere && /^https?:$/.test(link.protocol)) link.target = '_blank'
}

/** The number of the newest replacement of the page content. The script discards responses with older numbers. */
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
    for (const part of ['[data-swapped]', 'main > .facts', 'nav.languages']) {
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
 * When the visitor goes back in the browser history, fetches the page content that a script replaced. A link within a
 * page needs no fetch.
 */
addEventListener('popstate', ({ state }) => state?.swapped && swap(location.href, false))

/** Removes each image that fails to load, also if the image failed before this script started. */
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
 * Copies the value next to a copy button. If the script has no access to the clipboard, it selects the value, so that
 * the visitor can copy the value by hand.
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
 * Shows the remaining minutes of a hold. The countdown starts when the page loads. It does not compare the end of the
 * hold with the visitor's clock, because this clock can be wrong.
 */
function countDown() {
  for (const one of document.querySelectorAll('[data-seconds]')) {
    const left = Number(one.dataset.seconds) - performance.now() / 1000
    const timeLeft = JSON.parse(one.dataset.left)[Math.max(0, Math.ceil(left / 60))]
    if (timeLeft && timeLeft !== one.textContent) one.textContent = timeLeft
    if (left > 0) continue
    // The hold (the time reserved for the visitor) has ended. The visitor can still read and copy their input, but the
    // buttons of the form no longer work.
    one.parentElement.textContent = one.dataset.lapsed
    for (const button of document.querySelectorAll('main form button')) button.disabled = true
  }
}

/** Adds the local time of the visitor to a shown time, if the visitor is in another time zone than the business. */
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

function enhance() {
  tellOwnTimes()
  countDown()
}

enhance()
setInterval(countDown, 5_000)
