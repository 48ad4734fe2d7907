/**
 * Shows a notification when the inbox grows while the desk has no focus. The user turns notifications on for each
 * device. A desk page must be open on the device.
 */
const KEPT = 'desk-notify'
const root = document.documentElement

/**
 * Sets the button of the inbox that turns notifications on or off. The inbox shows no button if the browser has no
 * notifications or the user denied them.
 */
function showWay() {
  if (globalThis.Notification === undefined || Notification.permission === 'denied') delete root.dataset.notified
  else root.dataset.notified = isOn() ? 'yes' : 'no'
}

const isOn = () => Notification.permission === 'granted' && localStorage.getItem(KEPT) === 'on'

showWay()
addEventListener('click', async ({ target }) => {
  const wanted = target.dataset.notify
  if (!wanted) return
  if (wanted === 'on') await Notification.requestPermission()
  localStorage.setItem(KEPT, wanted)
  showWay()
})

/** Shows a notification about new inbox items. `more` is the number of new items; `text` contains the total. */
export function tellOf(more, text) {
  if (more <= 0 || root.dataset.notified !== 'yes' || document.hasFocus()) return
  try {
    // If several desks are open on a device, the last notification replaces the others.
    const one = new Notification(document.querySelector('.brand').textContent, { body: text, tag: 'inbox' })
    one.addEventListener('click', () => {
      focus()
      location.href = '/desk/inbox'
    })
  } catch {
    // Some phones allow notifications only in installed apps, so the inbox hides its button.
    delete root.dataset.notified
  }
}
