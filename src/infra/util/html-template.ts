export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type Content = Html | string | number | false | null | undefined | readonly Content[]

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** A template tag that creates HTML. It escapes all values, except values of the type `Html`. */
export function html(parts: TemplateStringsArray, ...values: Content[]): Html {
  let text = parts[0] ?? ''
  for (const [index, value] of values.entries()) text += written(value) + (parts[index + 1] ?? '')
  return new Html(text)
}

function written(value: Content): string {
  if (value === undefined || value === null || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(written).join('')
  return String(value).replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? '')
}
