import { once } from 'node:events'
import type { RequestListener, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import { loopbackCertificate } from '../../src/core/egress/development/loopback-certificate.ts'

/** Serves a stand-in of a provider at a loopback address with https until the tests of the file end. Returns its host. */
export async function servedOnLoopback(serve: RequestListener): Promise<string> {
  const server = createServer(loopbackCertificate(), serve).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

interface Consent {
  name: string
  /** The name of the button with which the person grants access. */
  allow: string
  comeBack(authorizationUrl: string, account: string, more: { error?: string }): string
}

/** The page on which a person chooses an account, and grants access or not. */
export function consentPage({ name, allow, comeBack }: Consent, url: URL, body: string, response: ServerResponse) {
  const form = new URLSearchParams(body)
  const account = form.get('account')
  if (account === null && form.get('do') !== 'cancel')
    return response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><html lang="en"><title>${name}</title>
<form method="post"><label>Account <input id="account" name="account"></label><button id="allow">${allow}</button></form>
<form method="post"><button id="cancel" name="do" value="cancel">Cancel</button></form>`)
  const back = comeBack(url.href, account ?? '', account === null ? { error: 'access_denied' } : {})
  const redirect = new URL(url.searchParams.get('redirect_uri') ?? '')
  return response.writeHead(303, { location: new URL(back, redirect.origin).href }).end()
}
