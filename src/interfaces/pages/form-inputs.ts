import { type Content, html } from '../../infra/util/html-template.ts'

export const hidden = (values: Record<string, string | undefined>): Content =>
  Object.entries(values).map(
    ([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`,
  )

interface RadioChoice {
  name: string
  value: string
  isChosen?: boolean
  isRequired?: boolean
}

/** A radio button that looks like a chip. */
export const radioChoice = ({ name, value, isChosen, isRequired }: RadioChoice, label: Content): Content =>
  html`<label class="pick-one"><input type="radio" name="${name}" value="${value}"${isChosen && html` checked`}${isRequired && html` required`}> ${label}</label>`

interface Chooser {
  /** The id of the select element. The default is the name of the field. */
  id?: string
  name: string
  label: string
  options: readonly (readonly [value: string, label: string])[]
  /** The values of the options that are selected in the field. */
  chosen: readonly (string | undefined)[]
}

export const chooser = ({ name, id = name, label, options, chosen }: Chooser): Content =>
  html`<div><label for="${id}">${label}</label>
<select id="${id}" name="${name}">${options.map(([value, text]) => html`<option value="${value}"${chosen.includes(value) && html` selected`}>${text}</option>`)}</select></div>
`
