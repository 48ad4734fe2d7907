import { zoneOf } from '../../core/business/definition-facts.ts'
import { keep } from '../../domain/desk/bookings/keep-affected-booking.ts'
import { shortRangeText } from '../../infra/i18n/format-times.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { GetBusinessBooking } from '../../protocol/types.generated.ts'
import { type DeskDependencies, type DeskRequest, isAllowed } from './call-operation-as-staff.ts'

type BusyTimes = NonNullable<GetBusinessBooking['output']['details']['busy']>

/** Names who is busy in another calendar, and when. */
export async function busyTimesText(
  busy: BusyTimes,
  localizer: Localizer,
  dependencies: DeskDependencies,
): Promise<string> {
  const { resources = [] } = (await dependencies.business.get()) ?? {}
  const zone = await zoneOf(dependencies)
  const times = busy.map(
    (one) =>
      `${resources.find(({ id }) => id === one.resource_id)?.name ?? one.resource_id} (${shortRangeText(localizer, one, zone)})`,
  )
  return `${localizer.say('desk.busy_elsewhere')}: ${localizer.list(times)}`
}

/** The note on the page of a booking that overlaps a later busy time of another calendar, with a button to keep both. */
export async function busyTimesNote(
  { busy }: GetBusinessBooking['output']['details'],
  { who, request: { localizer } }: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Content> {
  if (busy === undefined) return undefined
  return html`<div class="note wrong"><p>${await busyTimesText(busy, localizer, dependencies)}</p>
${isAllowed(who, keep) && html`<form method="post"><button class="plain" name="do" value="keep">${localizer.say('desk.conflicts.keep')}</button></form>`}</div>`
}
