import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'

/**
 * The two uses of a passkey: adding a passkey (`add`), and signing in with a passkey (`enter`). The browser fetches
 * data from the URL `options`, and posts the result to the URL `action`.
 */
export const PASSKEY_WAYS = {
  add: { options: '/desk/passkey/options', action: '/desk/passkey', label: 'desk.passkey.add' },
  enter: { options: '/desk/enter/options', action: '/desk/enter', label: 'desk.passkey.enter' },
} as const

/**
 * The form to add a passkey, or to sign in with a passkey. The form works only with scripts, because the script
 * `browser/passkey.js` submits it.
 */
export function passkeyForm(
  way: keyof typeof PASSKEY_WAYS,
  { say }: Localizer,
  more: Content = '',
  isPlain = false,
): Content {
  const { options, action, label } = PASSKEY_WAYS[way]
  return html`<form method="post" action="${action}" data-needed data-passkey="${way}" data-options="${options}">${more}
<p class="error" data-failed hidden>${say('desk.passkey.failed')}</p>
<button${isPlain && html` class="plain"`}>${say(label)}</button></form>`
}
