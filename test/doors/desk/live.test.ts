import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { deskSalon } from './receptionist.ts'

const { shop, signedIn, booked, platform } = await deskSalon()
await shop.app.listen({ host: '127.0.0.1', port: 0 })
const { port } = shop.app.server.address() as AddressInfo
const url = `http://127.0.0.1:${port}/desk/live`

/** What comes, one after the other, however it was cut on its way. */
function paragraphs({ body }: Response) {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return async () => {
    while (!text.includes('\n\n')) text += (await reader?.read())?.value ?? '\n\n'
    const [first = '', ...rest] = text.split('\n\n')
    text = rest.join('\n\n')
    return first
  }
}

test('[an open desk] is told within a second of what somebody else did, by whichever way', async () => {
  const jo = await signedIn('viewer')
  const headers = { cookie: `usp_desk=${jo.jar.get('usp_desk /')?.value}` }
  const aborted = new AbortController()
  const answer = await fetch(url, { headers, signal: aborted.signal })
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  const told = paragraphs(answer)
  expect(await told()).toMatch(/^retry:/)
  // Whoever comes may have a page that is older than the last that was done.
  expect(await told()).toMatch(/^data: \d+$/)
  const waits: number[] = []
  for (let time = 0; time < 3; time++) {
    const { booking } = await booked('svc_auto')
    const done = performance.now()
    expect(await told()).toMatch(/^data: \d+$/)
    waits.push(performance.now() - done)
    await platform.cancel(booking.id)
    await told()
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
