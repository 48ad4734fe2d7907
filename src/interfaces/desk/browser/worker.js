/**
 * The service worker of the desk. While the device is offline, it shows a page that says so. It stores no other page,
 * so the desk never shows old bookings.
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
