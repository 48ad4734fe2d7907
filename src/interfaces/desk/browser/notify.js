/**
 * Shows a notification when more waits in the inbox than before while somebody looks at something else: on a device where they
 * asked for it, and as long as a desk is open there.
 */
const KEPT = 'desk-notify'
const root = document.documentElement

/** Which of the two buttons the inbox shows: neither where there are no notifications, or none are wanted for good. */
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

/** So much more waits; the text says what there is in all. */
export function tellOf(more, text) {
  if (more <= 0 || root.dataset.notified !== 'yes' || document.hasFocus()) return
  try {
    // Of several desks on a device the last takes the place of the others.
    const one = new Notification(document.querySelector('.brand').textContent, { body: text, tag: 'inbox' })
    one.addEventListener('click', () => {
      focus()
      location.href = '/desk/inbox'
    })
  } catch {
    // Some phones let only installed apps do so.
    delete root.dataset.notified
  }
}
