import { beforeEach, describe, expect, test } from 'vitest'
import { createClient, generateKey, publishedKey } from '../../packages/client/index.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testPlatform } from '../support/platform.ts'
import { freePort } from '../support/process.ts'
import { openBusiness } from './business.ts'
import { openProxy } from './proxy.ts'

const key = await generateKey()
const platform = await testPlatform({ keys: [await publishedKey(key)] })
const port = await freePort()
const proxy = await openProxy(port)
const business = await openBusiness(businessWith([service('svc_a')]), {
  env: { BASE_URL: `http://127.0.0.1:${port}` },
})
proxy.target = business.port
beforeEach(() => {
  proxy.seen = []
})

const trace = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, tracestate: 'vendor=what-it-keeps' }
const forms = (['rest', 'mcp'] as const).flatMap((binding) =>
  (['proof', 'signature'] as const).map((authentication) => ({ binding, authentication })),
)

describe.each(forms)('over $binding with a $authentication', ({ binding, authentication }) => {
  const { getFeedSubscription } = createClient({
    baseUrl: business.url,
    platformProfile: platform.url,
    key,
    authentication,
    binding,
  })
  const ask = (options = {}) =>
    expect(getFeedSubscription({ subscription_id: 'sub_none' }, options)).rejects.toMatchObject({
      code: 'subscription_not_found',
    })

  test('the step that the platform is in goes along, for whoever stands in between too', async () => {
    await ask(trace)
    const [call] = proxy.seen
    expect(call?.headers).toMatchObject(trace)
    expect(call?.headers['signature-input'] ?? '').not.toContain('trace')
    if (binding === 'mcp') expect(call?.body.params._meta).toEqual(trace)
  })

  test('and nothing where there is none', async () => {
    await ask()
    await ask({ tracestate: trace.tracestate })
    for (const { headers, body } of proxy.seen)
      expect([headers.traceparent, headers.tracestate, body?.params._meta]).toEqual([undefined, undefined, undefined])
  })
})
