import type { Answer, Shot } from './load.ts'

/** What somebody does in a browser, as requests. */
export const page = (path: string): Shot => ({ method: 'GET', path, headers: { 'accept-language': 'en' } })

/** A form with what is written into it. */
export const form = (path: string, values: Record<string, string>): Shot => ({
  ...{ method: 'POST', path, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  body: new URLSearchParams(values).toString(),
})

/** What the field of a page's form has in it. */
export const fieldIn = ({ body }: Answer, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? ''

/** Where the first link of a page leads that has this in its address. */
export const linkIn = ({ body }: Answer, part: string): string =>
  new RegExp(`href="([^"]*${part}[^"]*)"`).exec(body)?.[1]?.replaceAll('&amp;', '&') ?? ''

/** A time that a service has on a day, and the button that keeps it. */
export interface TimeButton {
  day: string
  time: string
  button: Shot
}

/** Every time that a service has on these days. */
export async function timeButtons(origin: string, service: string, days: string[]): Promise<TimeButton[]> {
  const found: TimeButton[] = []
  for (const day of days) {
    const path = `/book/${service}?day=${day}`
    const body = await (await fetch(origin + path)).text()
    const token = fieldIn({ body, location: '' }, 'form')
    for (const [, time = ''] of body.matchAll(/<button name="time" value="([^"]*)"/g))
      found.push({ day, time, button: form(path, { time, form: token }) })
  }
  return found
}

/** The same by somebody of another network each: what visitors of one have is counted together. */
export const fromElsewhere = (shot: Shot, index: number): Shot => ({
  ...shot,
  headers: { ...shot.headers, 'x-forwarded-for': `198.18.${index >> 8}.${index & 255}` },
})

/** Sends one request as a browser does, that follows nothing; what becomes of it must lead somewhere or be a page. */
export async function open(
  origin: string,
  { method, path, headers, body }: Shot,
): Promise<Answer & { cookie: string }> {
  const answer = await fetch(origin + path, {
    method,
    headers,
    ...(body !== undefined && { body }),
    redirect: 'manual',
  })
  if (answer.status >= 400) throw new Error(`${path} answered ${answer.status}`)
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
  return { body: await answer.text(), location: answer.headers.get('location') ?? '', cookie }
}
