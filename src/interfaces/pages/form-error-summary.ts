import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'

/** An invalid form field: the id of its element, its label, and its fault. */
export interface FaultyField {
  id: string
  label: Content
  /** The language of the field's label. Undefined if the label is in the language of the page. */
  lang?: string
  fault?: Content
}

/**
 * Returns the error text of a form field, and the attributes that mark the field as invalid. Returns an empty object
 * for a valid field.
 */
export const faultOfField = (id: string, fault: Content | undefined): { error?: Content; mark?: Content } =>
  fault === undefined
    ? {}
    : {
        error: html`<p class="error" id="${id}-error">${fault}</p>`,
        mark: html` aria-invalid="true" aria-describedby="${id}-error"`,
      }

/** The summary of errors above a refused form. It links to each field that the visitor must correct. */
export const faultSummary = (sentence: Content, fields: readonly FaultyField[]): Content =>
  html`<div class="note wrong" role="alert">${sentence}${
    fields.length > 0 &&
    html`<ul>${fields.map(
      ({
        id,
        label,
        lang,
        fault,
      }) => html`<li><a href="#${encodeURIComponent(id)}"${lang !== undefined && html` dir="auto" lang="${lang}"`}>${label}</a>${fault !== undefined && html`: ${fault}`}</li>
`,
    )}</ul>`
  }</div>`

/** The note above a refused form. It names the only invalid field and links to it, or gives another reason. */
export const refusedFormNote = (faulty: FaultyField | undefined, otherReason: string, { say }: Localizer): Content =>
  faulty
    ? faultSummary(say('setup.look_again', { count: 1 }), [faulty])
    : html`<p class="note wrong" role="alert">${otherReason}</p>`
