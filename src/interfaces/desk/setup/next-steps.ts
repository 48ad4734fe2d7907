import { isOpenToBrowsers } from '../../../core/business/definition-facts.ts'
import { canMail } from '../../../core/mails/build-queued-mails.ts'
import { listBookings } from '../../../domain/desk/bookings/list-bookings.ts'
import { getMailServer } from '../../../domain/desk/setup/get-mail-server.ts'
import { readStaff } from '../../../domain/desk/staff/list-staff.ts'
import { type Content, html } from '../../../infra/util/html-template.ts'
import type { BusinessDefinition, ServiceDefinition } from '../../../protocol/types.generated.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest, isAllowed } from '../call-operation-as-staff.ts'
import { MAIL_SERVER_PATH } from './mail-server-page.ts'
import { picturePageOf } from './pictured-object.ts'

/** Lists the steps that a new business still has to take, each with a link. */
export async function nextSteps(
  definition: BusinessDefinition,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Content> {
  const { say } = deskRequest.request.localizer
  const [hasTeam, hasBooking] = await Promise.all([
    hasSeveralStaff(deskRequest, dependencies),
    hasAnyBooking(deskRequest, dependencies),
  ])
  const closedDays = [...(definition.closures ?? []), ...(definition.special_hours ?? [])]
  const [service] = definition.services
  const steps = [
    service &&
      !definition.services.some(hasPicture) &&
      html`<a href="${picturePageOf('services', service.id)}">${say('setup.steps.picture')}</a>`,
    closedDays.length === 0 && html`<a href="/desk/setup/hours#closures">${say('setup.steps.closed')}</a>`,
    hasSeveralPeople(definition) && !hasTeam && html`<a href="/desk/people">${say('setup.steps.team')}</a>`,
    isOpenToBrowsers(definition) && !hasBooking && html`<a href="/book">${say('setup.steps.booking')}</a>`,
  ].filter((step) => step !== false && step !== undefined)
  const isMailMissing = !(await canMail(dependencies))
  return html`${steps.length > 0 && html`<div class="note"><h2>${say('setup.steps')}</h2><ul>${steps.map((step) => html`<li>${step}</li>`)}</ul></div>`}${isMailMissing && html`<p class="note wrong">${say('setup.steps.mail')}${isAllowed(deskRequest.who, getMailServer) && html` <a href="${MAIL_SERVER_PATH}">${say('setup.steps.mail.enter')}</a>`}</p>`}`
}

const hasPicture = ({ media = [] }: ServiceDefinition) => media.some(({ type }) => type.startsWith('image'))

const hasSeveralPeople = ({ resources = [] }: BusinessDefinition) =>
  resources.filter(({ type }) => type === 'staff').length > 1

async function hasSeveralStaff(deskRequest: DeskRequest, dependencies: DeskDependencies): Promise<boolean> {
  const answer = await callAsStaff(readStaff, {}, deskRequest, dependencies)
  return answer.refusal !== undefined || answer.result.staff.length > 1
}

async function hasAnyBooking(deskRequest: DeskRequest, dependencies: DeskDependencies): Promise<boolean> {
  const answer = await callAsStaff(listBookings, { limit: 1 }, deskRequest, dependencies)
  return answer.refusal !== undefined || answer.result.bookings.length > 0
}
