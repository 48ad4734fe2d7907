import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Localizer, Message } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { BusinessDefinition, ResourceDefinition } from '../../protocol/types.generated.ts'
import { ownCookie } from '../pages/cookies.ts'
import { hidden } from '../pages/form-inputs.ts'
import { icon } from '../pages/icons.ts'

/**
 * The lifetime (in seconds) and the maximum length (in characters) of the cookie that stores the hidden columns of the
 * day view.
 */
const YEAR_SECONDS = 365 * 24 * 60 * 60
const MAX_COOKIE_CHARACTERS = 3000

const TYPES = ['staff', 'room', 'table', 'equipment', 'other'] as const

/**
 * The hidden columns of the day view. Each entry is the id of a person or room, or a type such as `*room`. A new person
 * is in no stored list, so the column of this person is visible.
 */
export type HiddenColumns = ReadonlySet<string>

const cookie = ownCookie('usp_desk_columns')

export const readHiddenColumns = (request: FastifyRequest, { config }: Dependencies<'config'>): HiddenColumns =>
  new Set(cookie.read(request, config).split('~').filter(Boolean))

export const isShown = (hiddenColumns: HiddenColumns, { id, type }: Pick<ResourceDefinition, 'id' | 'type'>): boolean =>
  !hiddenColumns.has(`*${type}`) && !hiddenColumns.has(id)

/**
 * The form that shows or hides columns of the day view. The form has a checkbox for each type, person and room. `query`
 * is the query string of the page that opens after the submission.
 */
export function columnsForm(
  { resources = [] }: Pick<BusinessDefinition, 'resources'>,
  hiddenColumns: HiddenColumns,
  query: string,
  { say }: Localizer,
): Content {
  if (resources.length < 2) return undefined
  const types = TYPES.filter((one) => resources.some(({ type }) => type === one))
  const count = resources.filter((one) => isShown(hiddenColumns, one)).length
  const tick = (name: string, value: string, text: string, isOn: boolean) =>
    html`<label class="tick"><input type="checkbox" name="${name}" value="${value}"${isOn && html` checked`}> ${text}</label>
`
  return html`<details class="which"><summary>${icon('view')}<span class="wide-text">${say('desk.columns')}${count < resources.length && ` ${count}/${resources.length}`}</span></summary>
<div class="menu"><form method="post" action="/desk/columns">${hidden({ query })}
${types.map((type) => {
  const name = say(`desk.type.${type}` satisfies Message)
  const resourcesOfType = resources.filter((one) => one.type === type)
  return html`<fieldset><legend>${types.length > 1 ? tick('type', type, name, !hiddenColumns.has(`*${type}`)) : name}</legend>
${resourcesOfType.map((one) => tick('column', one.id, one.name, !hiddenColumns.has(one.id)))}</fieldset>
`
})}<button class="plain">${say('desk.day.show')}</button></form></div></details>`
}

/**
 * Stores the hidden columns of the day view in a cookie, and redirects back to the page. A column is hidden if its
 * checkbox is empty.
 */
export function storeHiddenColumns(
  form: URLSearchParams,
  { resources = [] }: Pick<BusinessDefinition, 'resources'>,
  reply: FastifyReply,
  { config }: Dependencies<'config'>,
): { to: string } {
  const [types, ids] = [form.getAll('type'), form.getAll('column')]
  const present = TYPES.filter((one) => resources.some(({ type }) => type === one))
  const hiddenIds = [
    ...(present.length > 1 ? present.filter((type) => !types.includes(type)).map((type) => `*${type}`) : []),
    ...resources.flatMap(({ id }) => (ids.includes(id) ? [] : id)),
  ]
  const value = hiddenIds.reduce(
    (all, one) => (all.length + one.length > MAX_COOKIE_CHARACTERS ? all : `${all}~${one}`),
    '',
  )
  cookie.keep(reply, value, value === '' ? 0 : YEAR_SECONDS, config)
  return { to: addressOfCalendar(form) }
}

/** The address of the calendar page with the query string in the form field `query`. */
export const addressOfCalendar = (form: URLSearchParams): string =>
  `/desk?${new URLSearchParams(form.get('query') ?? '')}`
