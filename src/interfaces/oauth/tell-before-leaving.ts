import type { Context } from 'oidc-provider'
import { isThisMachine } from '../../infra/net/addresses.ts'
import type { Means } from '../../protocol/means.ts'
import { failedPage } from './failed-page.ts'
import { isAssistant } from './is-assistant.ts'

/**
 * Anybody may register, and a request that is refused at once sends the browser on without a question: so anybody could have people
 * sent anywhere from an address of ours (RFC 9700 section 4.11.2). The person is told instead, and goes there if they choose to.
 * A program on their own machine is no place to be lured to.
 */
export const tellBeforeLeaving =
  (means: Means<'business'>) =>
  async (context: Context, next: () => Promise<void>): Promise<void> => {
    await next()
    const { route, client } = context.oidc ?? {}
    if (route !== 'authorization' || !client || !isAssistant(client)) return
    // The way to our own page has no origin.
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
