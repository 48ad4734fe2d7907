import { type Content, html } from '../../infra/util/html.ts'

/** A field that has to be corrected: the id of its element, its label, and what is wrong with it. */
export interface FaultyField {
  id: string
  label: Content
  /** The language of the label, where it is not that of the page. */
  lang?: string
  fault?: Content
}

/** What is wrong with a field, for above the field, and the attributes that mark it. Nothing where it is right. */
export const faultOfField = (id: string, fault: Content | undefined): { error?: Content; mark?: Content } =>
  fault === undefined
    ? {}
    : {
        error: html`<p class="error" id="${id}-error">${fault}</p>`,
        mark: html` aria-invalid="true" aria-describedby="${id}-error"`,
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
