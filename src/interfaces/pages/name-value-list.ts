import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'

export type Fact = readonly [name: string, value: Content]

/** A list of names and values on a page. The list leaves out empty values. Each value has its own text direction. */
export const facts = (all: readonly Fact[], { isolate }: Localizer): Content => html`<dl>
${all.map(([name, value]) => value && html`<div><dt>${name}</dt><dd>${typeof value === 'string' ? isolate(value) : value}</dd></div>`)}
</dl>`
