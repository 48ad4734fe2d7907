/**
 * Turns push notifications on for this browser. The script asks for the permission, subscribes at the push service of the
 * browser, and submits the address and the keys with the form. The style sheet shows the form only if the browser can do
 * this.
 */
document.documentElement.dataset.push =
  'PushManager' in globalThis && navigator.serviceWorker ? 'possible' : 'impossible'

addEventListener('submit', async (event) => {
  const form = event.target
  const { pushKey } = form.dataset
  if (!pushKey) return
  event.preventDefault()
  const failed = form.querySelector('[data-failed]')
  failed.hidden = true
  try {
    if ((await Notification.requestPermission()) !== 'granted') throw new Error('no permission')
    const { endpoint, keys } = (await subscribe(pushKey)).toJSON()
    for (const [name, value] of Object.entries({ endpoint, ...keys }))
      form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
    form.submit()
  } catch {
    failed.setAttribute('role', 'alert')
    failed.hidden = false
  }
})

/** An earlier subscription ends first, because it can belong to another key of the server. */
async function subscribe(applicationServerKey) {
  const { pushManager } = await navigator.serviceWorker.ready
  await (await pushManager.getSubscription())?.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
}
