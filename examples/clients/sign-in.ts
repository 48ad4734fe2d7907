import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Signs a person in, for both versions of the SDK. It stores the tokens in memory, and waits on a local port for the browser of the
 * person to return. A real client opens `url` in the browser, and stores the tokens for the next start.
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

  // biome-ignore lint/suspicious/noExplicitAny: the SDK decides which values it stores here
  const stored: Record<string, any> = {}
  const store = (name: string) => (value: unknown) => void Object.assign(stored, { [name]: value })
  const provider = {
    redirectUrl,
    clientMetadata: { client_name: 'Example assistant', redirect_uris: [redirectUrl] },
    clientInformation: () => stored.client,
    saveClientInformation: store('client'),
    tokens: () => stored.tokens,
    saveTokens: store('tokens'),
    codeVerifier: () => stored.verifier,
    saveCodeVerifier: store('verifier'),
    discoveryState: () => stored.discovery,
    saveDiscoveryState: store('discovery'),
    redirectToAuthorization: (url: URL) => console.log(`Sign in at ${url}`),
  }
  return { provider, back: back.finally(() => waiting.close()) }
}
