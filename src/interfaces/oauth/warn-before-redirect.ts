import type { Context } from 'oidc-provider'
import { isThisMachine } from '../../infra/net/addresses.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import { failedPage } from './failed-page.ts'
import { isAssistant } from './is-assistant.ts'

/**
 * Any caller can register a client, and a refused request redirects at once, without a question.
 * So attackers could use this server as an open redirect (RFC 9700 section 4.11.2). It shows a page with a link
 * instead.
 * Redirects to a program on the machine of the person are exempt.
 */
export const warnBeforeRedirect =
  (means: Dependencies<'business'>) =>
  async (context: Context, next: () => Promise<void>): Promise<void> => {
    await next()
    const { route, client } = context.oidc ?? {}
    if (route !== 'authorization' || !client || !isAssistant(client)) return
    // A redirect to our own page is a relative path, which does not parse as a URL.
    const back = URL.parse(context.response.get('location'))
    if (!back || isThisMachine(back)) return
    const said = new URLSearchParams(back.search || back.hash.slice(1))
    const { status, headers, body } = await failedPage(
      {
        ...{ status: 400, why: said.get('error_description') ?? said.get('error') ?? undefined, back },
        ...{ url: context.url, headers: context.headers },
      },
      means,
    )
    context.remove('location')
    context.set(headers)
    Object.assign(context, { status, body })
  }
