import { type Content, type Html, html } from '../../../infra/util/html-template.ts'

/** A part of a design page. `docs/design.md` explains the components of each group under the same name. */
export interface ComponentGroup {
  name: string
  content: Content
}

/** The part of an element id that names a group, such as `chips-and-choices`. */
const idOf = (name: string) => name.toLowerCase().replaceAll(' ', '-')

/** The content of a design page. Its own texts are English in every language, because only contributors read them. */
export const designBody = (groups: readonly ComponentGroup[], otherPage: string): Html =>
  html`<p lang="en">docs/design.md explains these components. <a href="${otherPage}">The other design page</a></p>
${groups.map(
  ({ name, content }) => html`<section data-component="${idOf(name)}"><h2 lang="en">${name}</h2>
${content}</section>
`,
)}`

export const state = (name: string, content: Content): Content => html`<h3 lang="en">${name}</h3>
${content}
`
