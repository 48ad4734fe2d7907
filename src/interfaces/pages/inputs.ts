import { type Content, html } from '../../infra/util/html.ts'

export const hidden = (values: Record<string, string | undefined>): Content =>
  Object.entries(values).map(
    ([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`,
  )

export const chooser = (
  name: string,
  label: string,
  options: readonly (readonly [value: string, label: string])[],
  chosen: readonly (string | undefined)[],
  id = name,
): Content =>
  html`<div><label for="${id}">${label}</label>
<select id="${id}" name="${name}">${options.map(([value, text]) => html`<option value="${value}"${chosen.includes(value) && html` selected`}>${text}</option>`)}</select></div>
`
