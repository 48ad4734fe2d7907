/**
 * Makes the pages quicker where scripts run; each works without. Links and forms marked `data-swap` bring the new page's
 * content in without a reload, a held time counts down, times are also told as the visitor's own clock shows them, and a
 * page in a frame tells its height and its title, and opens other sites beside it. What has to be written elsewhere is copied.
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

/** Most sites refuse to be shown in a frame, as some of our own pages do, and the booking is to stay where it is. */
function openBeside({ target }) {
  const link = target instanceof Element ? target.closest('a[href]') : null
  const isElsewhere = link && (link.origin !== location.origin || link.target === '_top')
  if (isElsewhere && /^https?:$/.test(link.protocol)) link.target = '_blank'
}

/** The newest wish: what was wished for before and comes later is no longer wanted. */
let wish = 0

/** Puts what is new into the place of what was there, and leaves the rest of the page alone. */
async function swap(url, remember) {
  const from = document.querySelector('[data-swapped]')
  if (!from) return location.assign(url)
  const mine = ++wish
  from.setAttribute('aria-busy', 'true')
  try {
    const answer = await fetch(url, { headers: { accept: 'text/html' } })
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    if (mine !== wish) return
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
    if (mine === wish) location.assign(url)
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

/** Only what was swapped is swapped back: a link within a page brings nothing new. */
addEventListener('popstate', ({ state }) => state?.swapped && swap(location.href, false))

/** A picture that cannot be had is not missed. */
document.addEventListener('error', ({ target }) => target instanceof HTMLImageElement && target.remove(), true)
for (const image of document.images) if (image.complete && image.naturalWidth === 0) image.remove()

/** A form is sent once, however often it is pressed. */
document.addEventListener('submit', (event) => {
  const { target: form } = event
  if (!(form instanceof HTMLFormElement) || form.method !== 'post') return
  if (form.dataset.sent) return event.preventDefault()
  form.dataset.sent = 'yes'
})

addEventListener('pageshow', () => {
  for (const form of document.forms) delete form.dataset.sent
})

/** What has to be written elsewhere; where a browser lets nobody copy, it is marked, to be copied by hand. */
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

/** The minutes that are left of a held time, by no clock but how long the page is open: others may be wrong. */
function countDown() {
  for (const one of document.querySelectorAll('[data-seconds]')) {
    const left = Number(one.dataset.seconds) - performance.now() / 1000
    const said = JSON.parse(one.dataset.left)[Math.max(0, Math.ceil(left / 60))]
    if (said && said !== one.textContent) one.textContent = said
    if (left > 0) continue
    // What was written stays to be read; nothing of it can be sent any more.
    one.parentElement.textContent = one.dataset.lapsed
    for (const button of document.querySelectorAll('main form button')) button.disabled = true
  }
}

/** Who is elsewhere reads the same times by the own clock, too. */
function tellOwnTimes() {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  for (const one of document.querySelectorAll('[data-zone]')) {
    const instant = new Date(one.dataset.instant)
    const form = { hour: 'numeric', minute: '2-digit', weekday: 'short' }
    const write = (timeZone) =>
      new Intl.DateTimeFormat(document.documentElement.lang, { ...form, timeZone }).format(instant)
    if (own === one.dataset.zone || write(own) === write(one.dataset.zone)) continue
    one.hidden = false
    one.textContent = one.dataset.words.replace('{time}', write(own)).replace('{zone}', own.replaceAll('_', ' '))
  }
}

function enhance() {
  tellOwnTimes()
  countDown()
}

enhance()
setInterval(countDown, 5_000)
