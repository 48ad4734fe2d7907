import { canMail } from '../../core/mails/build-queued-mails.ts'
import type { LinkedPlatform } from '../../core/tokens/linked-platforms.ts'
import { SIGN_IN_LINK_MINUTES } from '../../domain/accounts/sign-in-links.ts'
import { dayText } from '../../infra/i18n/format-times.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { html } from '../../infra/util/html-template.ts'
import { type SignInLinkDependencies, signInLinkForm } from '../my-bookings/request-sign-in-link-page.ts'
import type { View } from '../pages/page-layout.ts'

interface Account {
  buyer: string
  links: readonly LinkedPlatform[]
  zone: string
  /** The path of the page on which the buyer manages their account. */
  page: string
}

export async function accountView(
  { buyer, links, zone, page }: Account,
  localizer: Localizer,
  dependencies: SignInLinkDependencies,
): Promise<View> {
  const { say } = localizer
  return {
    status: 200,
    title: say('account.title'),
    body: html`<p>${say('account.signed_in', { buyer })}</p>
${links.length === 0 ? html`<p class="note">${say('account.none')}</p>` : html`<p>${say('account.apps')}</p>`}
${links.map(
  ({ client, name, hosts, since, scopes }) => html`<h2>${name}</h2>
<p class="soft">${say('account.since', { day: dayText(localizer, since, zone) })} · <bdi>${hosts.join(', ')}</bdi></p>
<ul>
${scopes.map((scope) => html`<li>${say(`account.scope.${scope}`)}</li>`)}
</ul>
<form method="post">
<input type="hidden" name="client" value="${client}">
<button name="do" value="unlink" class="danger">${say('account.unlink', { app: name })}</button>
</form>`,
)}
${
  (await canMail(dependencies)) &&
  html`<h2>${say('account.choose')}</h2>
<p>${say('account.by_link.text', { minutes: SIGN_IN_LINK_MINUTES })}</p>
${await signInLinkForm({ email: buyer, returnTo: page }, localizer, dependencies)}`
}
<form method="post"><button name="do" value="leave" class="plain">${say('account.sign_out')}</button></form>`,
  }
}
