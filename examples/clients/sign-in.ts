import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * What a client of either generation remembers of a sign-in, and where it waits for the person to come back. A real one opens
 * `url` in the browser, and keeps the tokens for the next time.
 */
export async function signIn() {
  let arrive: (answer: URLSearchParams) => void = () => {}
  const back = new Promise<URLSearchParams>((resolve) => {
    arrive = resolve
  })
  const waiting = createServer(({ url = '/' }, response) => {
    response.end('Done. Go back to your assistant.')
    arrive(new URL(url, 'http://127.0.0.1').searchParams)
  })
  await new Promise<void>((resolve) => waiting.listen(0, '127.0.0.1', resolve))
  const redirectUrl = `http://127.0.0.1:${(waiting.address() as AddressInfo).port}/callback`

  // biome-ignore lint/suspicious/noExplicitAny: what the SDK hands over to be kept, and asks for again
  const kept: Record<string, any> = {}
  const keep = (name: string) => (value: unknown) => void Object.assign(kept, { [name]: value })
  const provider = {
    redirectUrl,
    clientMetadata: { client_name: 'Example assistant', redirect_uris: [redirectUrl] },
    clientInformation: () => kept.client,
    saveClientInformation: keep('client'),
    tokens: () => kept.tokens,
    saveTokens: keep('tokens'),
    codeVerifier: () => kept.verifier,
    saveCodeVerifier: keep('verifier'),
    discoveryState: () => kept.discovery,
    saveDiscoveryState: keep('discovery'),
    redirectToAuthorization: (url: URL) => console.log(`Sign in at ${url}`),
  }
  return { provider, back: back.finally(() => waiting.close()) }
}
