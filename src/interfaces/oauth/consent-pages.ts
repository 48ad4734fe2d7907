import type { Localizer } from '../../infra/i18n/localizer.ts'
import { isThisMachine } from '../../infra/net/ip-addresses.ts'
import { html } from '../../infra/util/html-template.ts'
import type { SignInLinkDependencies } from '../my-bookings/request-sign-in-link-page.ts'
import type { View } from '../pages/page-layout.ts'
import type { LinkRequest } from './find-authorization-request.ts'
import { type Mistake, signInView } from './sign-in-form.ts'

type Request = Pick<LinkRequest, 'platform' | 'isAssistant' | 'page' | 'back' | 'requested'>

export const signInToLink = async (
  { platform, isAssistant, page, back }: Request,
  mistake: Mistake,
  localizer: Localizer,
  dependencies: SignInLinkDependencies,
): Promise<View> => ({
  ...(await signInView(
    {
      ...mistake,
      page,
      why: localizer.say(isAssistant ? 'account.assistant.why' : 'account.link.why', { app: platform }),
      below: html`<form method="post"><button name="do" value="deny" class="danger">${localizer.say('account.link.deny')}</button></form>`,
    },
    localizer,
    dependencies,
  )),
  formTargets: formTarget(new URL(back)),
})

/**
 * The page that asks a buyer to give a platform or an assistant access to the buyer's account. Each permission (scope)
 * has a checkbox. The server grants only the scopes with a check mark.
 */
export const consentView = (request: Request, buyer: string, { say }: Localizer): View => {
  const { platform, isAssistant, back, requested } = request
  const site = new URL(back)
  return {
    status: 200,
    title: isAssistant ? say('account.assistant') : say('account.consent', { app: platform }),
    formTargets: formTarget(site),
    body: html`<p>${say(isAssistant ? 'account.assistant.asks' : 'account.consent.asks', { buyer, app: platform })}</p>
<form method="post">
${requested.map(
  (scope) => html`<p class="check"><input type="checkbox" id="${scope}" name="scope" value="${scope}" checked>
<label for="${scope}">${say(`account.scope.${scope}`)}</label></p>
`,
)}
${isAssistant && html`<p class="note">${say(isThisMachine(site) ? 'account.assistant.here' : 'account.assistant.there', { site: site.host })}</p>`}
<button name="do" value="allow">${say('account.consent.allow')}</button>
<button name="do" value="deny" class="danger">${say('account.consent.deny')}</button>
<p class="soft">${say('account.consent.back', { site: site.host })} <a href="/account">${say('account.title')}</a></p>
<button name="do" value="leave" class="quiet">${say('account.sign_out')}</button>
</form>`,
  }
}

/**
 * Returns the site to which the form may redirect, for the content security policy (CSP). A CSP cannot contain IPv6
 * addresses. For such an address, the function returns only the scheme, such as `http:`.
 */
const formTarget = ({ origin, protocol, hostname }: URL) => (hostname.startsWith('[') ? protocol : origin)

export const linkExpired = ({ say }: Localizer): View => ({
  status: 404,
  title: say('account.link.expired'),
  body: html`<p>${say('account.link.expired.text')}</p>`,
})
