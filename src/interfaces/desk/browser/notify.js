/**
 * Shows a notification when the inbox gets new items and the desk does not have the focus. The user turns notifications
 * on for each device. A desk page must be open on the device.
 */
const KEPT = 'desk-notify'
const root = document.documentElement

/**
 * Shows the button that turns browser notifications on or off. Hides this button if the browser does not support
 * notifications, or if the user has denied them.
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

/**
 * Shows a browser notification about new inbox items. `more` is the number of new items, and `text` contains the number
 * of all items.
 */
export function tellOf(more, text) {
  if (more <= 0 || root.dataset.notified !== 'yes' || document.hasFocus()) return
  try {
    // Each open desk page sends this notification. Each one replaces the one before, so the user sees only the last.
    const one = new Notification(document.querySelector('.brand').textContent, { body: text, tag: 'inbox' })
    one.addEventListener('click', () => {
      focus()
      location.href = '/desk/inbox'
    })
  } catch {
    // Some phones allow notifications only in installed apps. On such a phone, the inbox hides the button that turns
    // notifications on.
    delete root.dataset.notified
  }
}
