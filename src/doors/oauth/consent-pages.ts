import { html } from '../../basics/html.ts'
import type { Speech } from '../../languages/speech.ts'
import type { AskMeans } from '../my/ask-page.ts'
import type { View } from '../pages/layout.ts'
import type { LinkRequest } from './link-request.ts'
import { type Mistake, signInView } from './sign-in-form.ts'

type Request = Pick<LinkRequest, 'platform' | 'page' | 'back' | 'requested'>

export const signInToLink = async (
  { platform, page, back }: Request,
  mistake: Mistake,
  speech: Speech,
  means: AskMeans,
): Promise<View> => ({
  ...(await signInView(
    {
      ...mistake,
      page,
      why: speech.say('account.link.why', { app: platform }),
      below: html`<form method="post"><button name="do" value="deny" class="danger">${speech.say('account.link.deny')}</button></form>`,
    },
    speech,
    means,
  )),
  leadsOut: new URL(back).origin,
})

/** What the platform wants, each thing to be ticked off; what is not ticked is not granted. */
export const consentView = ({ platform, back, requested }: Request, buyer: string, { say }: Speech): View => ({
  status: 200,
  title: say('account.consent', { app: platform }),
  leadsOut: new URL(back).origin,
  body: html`<p>${say('account.consent.asks', { buyer, app: platform })}</p>
<form method="post">
${requested.map(
  (scope) => html`<p class="check"><input type="checkbox" id="${scope}" name="scope" value="${scope}" checked>
<label for="${scope}">${say(`account.scope.${scope}`)}</label></p>
`,
)}
<button name="do" value="allow">${say('account.consent.allow')}</button>
<button name="do" value="deny" class="danger">${say('account.consent.deny')}</button>
<button name="do" value="leave" class="plain">${say('account.sign_out')}</button>
</form>
<p class="soft">${say('account.consent.back', { site: new URL(back).host })} <a href="/account">${say('account.title')}</a></p>`,
})

/** The platform sent the buyer here in a way that cannot be answered. Nobody is sent anywhere from here. */
export const linkFailed = (status: number, { say }: Speech, why = 'It cannot be read.'): View => ({
  status,
  title: say('account.link.failed'),
  body: html`<p>${say('account.link.failed.text')}</p>
<p class="soft">${say('account.link.failed.for_app', { why })}</p>`,
})

export const linkExpired = ({ say }: Speech): View => ({
  status: 404,
  title: say('account.link.expired'),
  body: html`<p>${say('account.link.expired.text')}</p>`,
})
