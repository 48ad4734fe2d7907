import type { FastifyReply } from 'fastify'
import { getDefinition } from '../../../domain/desk/setup/get-definition.ts'
import { type Content, html } from '../../../infra/util/html-template.ts'
import { formOf } from '../../pages/page-route-setup.ts'
import { type DeskDependencies, type DeskRequest, isAllowed, missingRolePage } from '../call-operation-as-staff.ts'
import { type DeskView, sendDesk } from '../desk-page.ts'
import { findCurrentYaml } from './current-definition.ts'
import { proposeDefinition } from './review-change-page.ts'

export const DOWNLOAD = '/desk/setup/business.yaml'

export async function yamlPage(deskRequest: DeskRequest, dependencies: DeskDependencies): Promise<DeskView> {
  const { text, version } = await findCurrentYaml(deskRequest, dependencies)
  return textPage({ text, version: String(version) }, deskRequest)
}

export async function submitYaml(
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<DeskView | { to: string }> {
  const form = formOf(deskRequest.request)
  const shown = { text: form.get('definition') ?? '', version: form.get('version') ?? '' }
  if (form.get('do') === 'edit') return textPage(shown, deskRequest)
  const title = deskRequest.request.localizer.say('setup.yaml')
  const answer = await proposeDefinition(
    { definition: shown.text, form, title, to: '/desk/setup' },
    deskRequest,
    dependencies,
  )
  return 'refusal' in answer
    ? textPage({ ...shown, refusal: answer.refusal.text(() => 'definition') }, deskRequest)
    : answer
}

function textPage(
  { text, version, refusal }: { text: string; version: string; refusal?: Content },
  { who, request: { localizer } }: DeskRequest,
): DeskView {
  const { say } = localizer
  return {
    status: refusal ? 409 : 200,
    title: say('setup.yaml'),
    who,
    place: 'setup',
    layout: 'wide',
    body: html`${refusal && html`<p class="note wrong" role="alert">${refusal}</p>`}
<p>${say('setup.yaml.text')} <a href="${DOWNLOAD}" download>${say('setup.download')}</a></p>
<form method="post" action="/desk/setup/yaml" data-draft><input type="hidden" name="version" value="${version}">
<label for="definition">YAML</label><textarea id="definition" class="source" name="definition" rows="24" spellcheck="false" dir="ltr" required>${text}</textarea>
<button name="do" value="review">${say('setup.review')}</button></form>
<p><a class="way" href="/desk/setup">${say('desk.setup')}</a></p>`,
  }
}

export async function download(
  deskRequest: DeskRequest,
  reply: FastifyReply,
  dependencies: DeskDependencies,
): Promise<FastifyReply> {
  if (!isAllowed(deskRequest.who, getDefinition))
    return sendDesk(reply, missingRolePage(getDefinition, deskRequest), dependencies)
  const { text } = await findCurrentYaml(deskRequest, dependencies)
  return reply
    .headers({
      'content-type': 'application/yaml; charset=utf-8',
      'content-disposition': 'attachment; filename="business.yaml"',
    })
    .send(text)
}
