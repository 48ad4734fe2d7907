import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pass } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { ProviderError } from '../../src/domain/payments/payment-provider.ts'
import { boundedFetch, stripe } from '../../src/domain/payments/stripe.ts'

async function site(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const read = async (answer: RequestListener) => {
  const provider = stripe({ secretKey: 'sk_test_1', webhookSecret: 'whsec_1', apiBase: await site(answer) })
  return provider.read('cs_1')
}

test('[payment through the provider] an answer without end is not kept', async () => {
  let sent = 0
  const piece = Buffer.alloc(64 * 1024, ' ')
  await expect(
    read((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(piece)) sent += piece.length
      }
      response.on('drain', more)
      more()
    }),
  ).rejects.toThrow('Stripe: ')
  // It is asked three times.
  expect(sent).toBeLessThan(3 * 16 * 1024 * 1024)
})

test('[payment through the provider] an answer that trickles ends when its time is over', async () => {
  let isCut = false
  const address = await site((_, response) => {
    const trickle = setInterval(() => response.write(' '), 20)
    response.on('close', () => {
      clearInterval(trickle)
      isCut = true
    })
  })
  await expect(boundedFetch(address, { signal: AbortSignal.timeout(200) })).rejects.toThrow()
  while (!isCut) await pass(5)
})

test('[payment through the provider] a buyer learns that the provider is silent before a proxy gives up after a minute', async () => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  const silent = (_: unknown, { signal }: RequestInit) =>
    new Promise((_, fail) => signal?.addEventListener('abort', () => fail(signal.reason)))
  vi.stubGlobal('fetch', silent)
  const provider = stripe({ secretKey: 'sk_test_1', webhookSecret: 'whsec_1', apiBase: 'http://127.0.0.1:1' })
  const answer = provider.read('cs_1').catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(55_000)
  expect(await Promise.race([answer, 'none yet'])).toBeInstanceOf(ProviderError)
})

test.each([
  ['is no JSON', 200, 'x'],
  ['is empty', 200, ''],
  ['has no body', 204, undefined],
  ['leads elsewhere', 302, '{}'],
])('[payment through the provider] an answer that %s is a failure of the provider', async (_, status, body) => {
  await expect(read((_, response) => void response.writeHead(status, { location: '/x' }).end(body))).rejects.toThrow()
})
