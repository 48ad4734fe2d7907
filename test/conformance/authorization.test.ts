import { expect, test } from 'vitest'
import { listening } from '../clients/listening.ts'
import { allow, register } from '../oauth/assistant.ts'
import { browser } from '../oauth/browser.ts'
import { freePort } from '../support/process.ts'
import { conformance } from './runner.ts'

const { server, origin } = await listening()

test('[the official runner] finds the authorization server, and gets a token of it', async () => {
  server.time.now = new Date()
  const port = await freePort()
  const { body } = await register(server, { redirect_uris: [`http://127.0.0.1:${port}/callback`] })
  let sentBack: Promise<unknown> | undefined
  const { code, output } = await conformance(
    [
      'authorization',
      '--url',
      origin,
      '--client-id',
      body.client_id,
      '--resource',
      `${origin}/mcp`,
      '-p',
      String(port),
    ],
    (says) => {
      const [, address] = /^(http\S+\/authorize\?\S+)\s/m.exec(says) ?? []
      if (address) sentBack ??= allow(browser(server, origin), address).then((back) => fetch(back))
    },
  )
  await sentBack
  expect(code, output).toBe(0)
  expect(output).toMatch(/authorization-code-grant: 1 passed, 0 failed/)
})
