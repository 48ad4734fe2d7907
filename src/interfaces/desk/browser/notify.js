/**
 * Shows a browser notification when the staff inbox gets new items. The script shows no notification while the desk
 * page has the focus. The user turns notifications on for each device, and a desk page must be open on that device.
 */
const KEPT = 'desk-notify'
const root = document.documentElement

/**
 * Shows the button that turns browser notifications on or off. Hides the button if the browser does not support
 * notifications, if the user has denied the permission, or if the device gets push notifications.
 */
function showWay() {
  if (globalThis.Notification === undefined || Notification.permission === 'denied' || isPushed())
    delete root.dataset.notified
  else root.dataset.notified = isOn() ? 'yes' : 'no'
}

/** Whether this device gets push notifications. The script must not show a second notification then. */
const isPushed = () => 'pushed' in document.body.dataset

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
 * Shows a browser notification about new inbox items. `more` is the number of new items. `text` is the text of the
 * notification, and contains the number of all items.
 */
export function tellOf(more, text) {
  if (more <= 0 || root.dataset.notified !== 'yes' || document.hasFocus()) return
  try {
    // Each open desk page shows a notification with the same tag. The browser replaces a notification by the next
    // notification with the same tag. Therefore the user sees only one notification.
    const one = new Notification(document.querySelector('.brand').textContent, { body: text, tag: 'inbox' })
    one.addEventListener('click', () => {
      focus()
      location.href = '/desk/inbox'
    })
  } catch {
    // Some phones allow notifications only in installed apps. On such a phone, the script hides the button that turns
    // notifications on.
    delete root.dataset.notified
  }
}
