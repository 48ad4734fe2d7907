import type { Shot } from './load.ts'

/** What somebody does in a browser, as requests. */
export const page = (path: string): Shot => ({ method: 'GET', path, headers: { 'accept-language': 'en' } })

/** Every time that a service has on these days, each as the button that keeps it. */
export async function timeButtons(origin: string, service: string, days: string[]): Promise<Shot[]> {
  const found: Shot[] = []
  for (const day of days) {
    const path = `/book/${service}?day=${day}`
    const markup = await (await fetch(origin + path)).text()
    const [, form = ''] = /name="form" value="([^"]*)"/.exec(markup) ?? []
    for (const [, time = ''] of markup.matchAll(/<button name="time" value="([^"]*)"/g))
      found.push({
        ...{ method: 'POST', path, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
        body: new URLSearchParams({ time, form }).toString(),
      })
  }
  return found
}

/** The same by somebody of another network each: what visitors of one have is counted together. */
export const fromElsewhere = (shot: Shot, index: number): Shot => ({
  ...shot,
  headers: { ...shot.headers, 'x-forwarded-for': `198.18.${index >> 8}.${index & 255}` },
})

/** Presses a time, and says where that leads. */
export async function press(origin: string, { path, headers, body = '' }: Shot): Promise<string> {
  const answer = await fetch(origin + path, { method: 'POST', headers, body, redirect: 'manual' })
  const to = answer.headers.get('location')
  if (to === null) throw new Error(`${path} kept nothing: ${answer.status}`)
  return to
}
