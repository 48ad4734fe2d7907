import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { deskSalon } from './receptionist.ts'

const { shop, signedIn, booked, platform } = await deskSalon()
await shop.app.listen({ host: '127.0.0.1', port: 0 })
const { port } = shop.app.server.address() as AddressInfo
const url = `http://127.0.0.1:${port}/desk/live`

test('[an open desk] is told within a second of what somebody else did, by whichever way', async () => {
  const jo = await signedIn('viewer')
  const headers = { cookie: `usp_desk=${jo.jar.get('usp_desk /')?.value}` }
  const aborted = new AbortController()
  const answer = await fetch(url, { headers, signal: aborted.signal })
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader?.read())?.value).toContain('retry:')
  // A first look is taken; only what comes after it is new.
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  const waits: number[] = []
  for (let time = 0; time < 3; time++) {
    const { booking } = await booked('svc_auto')
    const done = performance.now()
    expect((await reader?.read())?.value).toMatch(/^data: \d+\n\n$/)
    waits.push(performance.now() - done)
    await platform.cancel(booking.id)
    await reader?.read()
  }
  // A machine that is busy with others makes some of them late.
  expect(Math.min(...waits)).toBeLessThan(1_000)
  aborted.abort()
})

test('[an open desk] is nobody’s who is not signed in, and ends with the server', async () => {
  expect((await fetch(url)).status).toBe(204)
  const jo = await signedIn('viewer')
  const answer = await fetch(url, { headers: { cookie: `usp_desk=${jo.jar.get('usp_desk /')?.value}` } })
  const begun = performance.now()
  const ended = answer.text()
  await shop.app.close()
  await ended
  expect(performance.now() - begun).toBeLessThan(3_000)
})
