import { scopes } from '../../tokens/scopes.ts'
import { html } from '../pages/html.ts'
import type { View } from '../pages/layout.ts'
import type { LinkRequest } from './link-request.ts'
import { signInView } from './sign-in-form.ts'

type Request = Pick<LinkRequest, 'platform' | 'back' | 'requested'>

export const signInToLink = ({ platform, back }: Request, mistake: { note?: string; email?: string } = {}): View => ({
  ...signInView({
    ...mistake,
    why: html`${platform} asks to act for you here. Sign in first, then you see what for.`,
    below: html`<form method="post"><button name="do" value="deny" class="danger">Go back without linking</button></form>`,
  }),
  leadsOut: new URL(back).origin,
})

/** What the platform wants, each thing to be ticked off; what is not ticked is not granted. */
export const consentView = ({ platform, back, requested }: Request, buyer: string): View => ({
  status: 200,
  title: `Let ${platform} act for you?`,
  leadsOut: new URL(back).origin,
  body: html`<p>You are signed in as ${buyer}. ${platform} asks to:</p>
<form method="post">
${requested.map(
  (scope) => html`<p class="check"><input type="checkbox" id="${scope}" name="scope" value="${scope}" checked>
<label for="${scope}">${scopes[scope]}</label></p>
`,
)}
<button name="do" value="allow">Allow</button>
<button name="do" value="deny" class="danger">Do not allow</button>
</form>
<p class="soft">You then go back to ${new URL(back).host}. You can end this at any time under
<a href="/account">your account</a>.</p>`,
})

/** The platform sent the buyer here in a way that cannot be answered. Nobody is sent anywhere from here. */
export const linkFailed = (status: number, why = 'It cannot be read.'): View => ({
  status,
  title: 'This link does not work',
  body: html`<p>The app that sent you here asked for something that cannot be done. Nothing was changed.</p>
<p class="soft">For the app: ${why}</p>`,
})

export const linkExpired: View = {
  status: 404,
  title: 'This page is over',
  body: html`<p>It was open for too long, or in another browser. Nothing was changed. Please begin again in the app that
sent you here.</p>`,
}
