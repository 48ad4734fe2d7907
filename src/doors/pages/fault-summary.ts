import { type Content, html } from '../../basics/html.ts'

/** A field that has to be corrected: the id of its element, its label, and what is wrong with it. */
export interface FaultyField {
  id: string
  label: Content
  /** The language of the label, where it is not that of the page. */
  lang?: string
  fault?: Content
}

/** Stands above a form that was refused: a sentence, and a link to each field that has to be corrected. */
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
