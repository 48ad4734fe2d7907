const plain = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
const attribute = (text: string, name: string) => plain(new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1] ?? '')

/** What a browser sends of the form on a page. */
export function sent(body: string): URLSearchParams {
  const [form = ''] = /<form method="post"[^>]*data-draft.*?<\/form>/s.exec(body) ?? []
  const fields = [
    ...form.matchAll(/<(input)([^>]*)>|<(textarea)([^>]*)>([^<]*)<\/textarea>|<(select)([^>]*)>(.*?)<\/select>/gs),
  ]
  return new URLSearchParams(
    fields.flatMap(([, input, ofInput = '', area, ofArea = '', written = '', , ofSelect = '', options = '']) => {
      if (area) return [[attribute(ofArea, 'name'), plain(written)]]
      const isLeftOut = ofInput.includes('type="checkbox"') && !/ checked/.test(ofInput)
      if (input) return isLeftOut ? [] : [[attribute(ofInput, 'name'), attribute(ofInput, 'value')]]
      const all = [...options.matchAll(/<option ([^>]*)>/g)].map(([, one = '']) => one)
      const chosen = all.find((one) => / selected/.test(one)) ?? all[0] ?? ''
      return [[attribute(ofSelect, 'name'), attribute(chosen, 'value')]]
    }),
  )
}
