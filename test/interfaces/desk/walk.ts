import type { Answer } from '../../support/server.ts'

/** What is sent by pressing one button. */
export interface Form {
  /** The address of the page that has it. */
  page: string
  action: string
  fields: [name: string, value: string][]
  button: [name: string, value: string] | undefined
}

/** What somebody comes to from Today by all that is shown to them: one address of each kind, and every form there. */
export interface Walk {
  /** What was answered at each. */
  pages: Map<string, number>
  /** The markup of each. */
  bodies: Map<string, string>
  forms: Form[]
}

/** What is searched for on the way. */
const WORDS = 'Klein'

export async function walk({ open }: { open(url: string): Promise<Answer> }): Promise<Walk> {
  const pages = new Map<string, number>()
  const bodies = new Map<string, string>()
  const forms: Form[] = []
  const known = new Set<string>()
  for (const ahead = ['/desk']; ahead.length > 0; ) {
    const url = ahead.shift() ?? ''
    if (known.has(kindOf(url))) continue
    known.add(kindOf(url))
    const { status, headers, body } = await open(url)
    pages.set(url, status)
    if (status !== 200 || !headers['content-type']?.startsWith('text/html')) continue
    bodies.set(url, body)
    ahead.push(...linksIn(body), ...searchesIn(url, body))
    forms.push(...formsIn(url, body))
  }
  return { pages, bodies, forms }
}

/** These are alike, whichever thing they are about. */
const ALIKE = /^(\/desk\/setup\/\w+)\/.*|^\/desk\/bookings\/[^/]+(\/(?:move|correct))$/

/** Days, times and words that are asked for lead to the same kind of page. */
function kindOf(url: string): string {
  const { pathname, searchParams } = new URL(url, 'http://desk')
  const asked = [...new Set(searchParams.keys())].toSorted()
  return `${pathname.replace(ALIKE, '$1$2/')} ${asked} ${searchParams.get('put') ?? ''}`
}

const linksIn = (body: string): string[] =>
  [...body.matchAll(/ href="(\/desk[^"#]*)/g)].flatMap(([, url = '']) => (/\.(css|js)$/.test(url) ? [] : textOf(url)))

const searchesIn = (page: string, body: string): string[] =>
  formTexts(page, body, 'get').map(({ action, inside }) => {
    const fields = fieldsIn(inside).map(([name, value]) => [name, value || WORDS])
    return `${action.split('?')[0]}?${new URLSearchParams(fields)}`
  })

export const formsIn = (page: string, body: string): Form[] =>
  formTexts(page, body, 'post').flatMap(({ action, inside }) =>
    [...inside.matchAll(/<button\b([^>]*)>/g)].flatMap(([, attributes = '']): Form[] => {
      if (/ (disabled|type="button"|tabindex="-1")/.test(attributes)) return []
      const name = attribute('name', attributes)
      return [
        { page, action, fields: fieldsIn(inside), button: name ? [name, attribute('value', attributes)] : undefined },
      ]
    }),
  )

const formTexts = (page: string, body: string, method: 'get' | 'post') =>
  [...body.matchAll(new RegExp(`<form method="${method}"([^>]*)>(.*?)</form>`, 'gs'))].map(
    ([, attributes = '', inside = '']) => ({ action: attribute('action', attributes) || page, inside }),
  )

/** As a browser sends what stands there. */
function fieldsIn(form: string): Form['fields'] {
  const inputs = [...form.matchAll(/<input\b([^>]*)>/g)]
    .map(([, attributes = '']) => attributes)
    .filter((text) => !/type="(radio|checkbox)"/.test(text) || / checked/.test(text))
    .map((text): [string, string] => [attribute('name', text), attribute('value', text)])
  const texts = [...form.matchAll(/<textarea\b([^>]*)>([^<]*)/g)].map(
    ([, attributes = '', text = '']): [string, string] => [attribute('name', attributes), textOf(text)],
  )
  const choices = [...form.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs)].map(
    ([, attributes = '', options = '']): [string, string] => [
      attribute('name', attributes),
      attribute('value', /<option\b([^>]*) selected/.exec(options)?.[1] ?? options),
    ],
  )
  return [...inputs, ...texts, ...choices].filter(([name]) => name !== '')
}

const attribute = (name: string, attributes: string): string =>
  textOf(new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '')

const textOf = (markup: string): string =>
  markup
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
