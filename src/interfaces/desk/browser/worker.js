/**
 * The service worker of the desk. While the device is offline, it shows a page that says so. It stores no other page,
 * so the desk never shows old bookings. It also shows the push notifications of the server.
 */
const CACHE = 'desk'
const OFFLINE_PAGE = '/desk/offline'
const SHELL = [OFFLINE_PAGE, '/desk/desk.css', '/assets/geist-latin.woff2']

addEventListener('install', (event) => event.waitUntil(storeShell()))

async function storeShell() {
  const cache = await caches.open(CACHE)
  await cache.addAll(SHELL.map((path) => new Request(path, { cache: 'reload' })))
}

addEventListener('fetch', (event) => {
  const { request } = event
  if (request.mode === 'navigate') event.respondWith(fetchOr(request, OFFLINE_PAGE))
  else if (SHELL.includes(new URL(request.url).pathname)) event.respondWith(fetchOr(request, request))
})

/** Fetches from the server. If the device cannot reach the server, returns the stored answer. */
async function fetchOr(request, stored) {
  try {
    return await fetch(request)
  } catch (error) {
    const answer = await caches.match(stored)
    if (answer) return answer
    throw error
  }
}

addEventListener('message', (event) => event.waitUntil(keepLanguage(event.data.language)))

/** Stores the offline page again if its language is not the language of the desk. */
async function keepLanguage(language) {
  const cache = await caches.open(CACHE)
  const stored = await cache.match(OFFLINE_PAGE)
  if (stored?.headers.get('content-language') === language) return
  // While the device is offline, the stored page stays as it is.
  await cache.add(new Request(OFFLINE_PAGE, { cache: 'reload' })).catch(() => {})
}

addEventListener('push', (event) => {
  if (event.data) event.waitUntil(showNotification(event.data.json()))
})

/** A later notification about the same booking replaces the earlier one, because it has the same tag. */
const showNotification = ({ title, body, url, tag, lang, dir }) =>
  registration.showNotification(title, { body, tag, lang, dir, renotify: true, data: { url } })

addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPage(new URL(event.notification.data.url, location.origin).href))
})

/** Shows the window that already has the page, or opens a new one. It replaces no other page: a form may be open there. */
async function openPage(url) {
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = windows.find((one) => one.url === url)
  return open ? open.focus() : clients.openWindow(url)
}
