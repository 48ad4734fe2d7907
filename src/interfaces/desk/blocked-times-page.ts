import { clearTime } from '../../domain/desk/away/clear-bookings-for-absence.ts'
import { listBlocks } from '../../domain/desk/hours/list-blocks.ts'
import { unblockTime } from '../../domain/desk/hours/unblock-time.ts'
import { shortRangeText } from '../../infra/i18n/format-times.ts'
import { html } from '../../infra/util/html-template.ts'
import { ignoreNotFound } from '../../pipeline/call-operation-from-page.ts'
import type { ListBlocks } from '../../protocol/types.generated.ts'
import { chooser, hidden } from '../pages/form-inputs.ts'
import { ALL_RESOURCES, allAtLocation } from './absent-person-or-room.ts'
import {
  callAsStaff,
  type DeskDependencies,
  type DeskRequest,
  isAllowed,
  missingRolePage,
} from './call-operation-as-staff.ts'
import type { DeskView } from './desk-page.ts'
import { NO_MORE, nextPageLink } from './next-page-link.ts'

type Block = ListBlocks['output']['blocks'][number]

/**
 * The maximum number of blocked times on one page. The page shows blocked times with the same interval and reason as
 * one entry, and staff remove them together. The limit is high, so that one page usually has all of them.
 */
const MOST_TOGETHER = 200

export async function blocksPage(
  query: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<DeskView> {
  const { localizer } = deskRequest.request
  const { say } = localizer
  const answer = await callAsStaff(
    listBlocks,
    { cursor: query.get('after'), limit: MOST_TOGETHER },
    deskRequest,
    dependencies,
  )
  const { blocks, pagination } = answer.refusal ? { blocks: [], pagination: NO_MORE } : answer.result
  const definition = await dependencies.business.get()
  const { resources = [], locations = [] } = definition ?? {}
  const zone = definition?.business.timezone ?? 'UTC'
  const whose = (id: string) => resources.find((one) => one.id === id)?.name ?? []
  const who = [
    [ALL_RESOURCES, say('desk.blocks.everybody')],
    ...(locations.length > 1 ? locations.map(({ id, name }) => [allAtLocation(id), name] as const) : []),
    ...resources.map(({ id, name }) => [id, name] as const),
  ] as const
  const together = Map.groupBy(blocks, ({ start, end, reason }) => `${start} ${end} ${reason}`)
  const line = (group: Block[]) => {
    const [first] = group
    const names = group.flatMap(({ resource_id }) => whose(resource_id))
    const isAll = names.length > 1 && names.length === resources.length
    return (
      first &&
      html`<li><strong>${shortRangeText(localizer, first, zone)}</strong><br>${isAll ? say('desk.blocks.everybody') : localizer.list(names)}${first.reason !== undefined && html`<br><span class="soft">${first.reason}</span>`}
${isAllowed(deskRequest.who, unblockTime) && html`<details><summary>${say('desk.blocks.remove')}</summary><form method="post">${group.map(({ id }) => hidden({ block: id }))}<button class="danger">${say('desk.blocks.remove')}</button></form></details>`}</li>
`
    )
  }
  return {
    status: 200,
    title: say('desk.blocks'),
    who: deskRequest.who,
    place: 'blocks',
    body: html`${
      isAllowed(deskRequest.who, clearTime) &&
      html`<form method="get" action="/desk/away" class="inline">${chooser({ name: 'with', label: say('desk.blocks.who'), options: who, chosen: [] })}
<button>${say('desk.blocks.add')}</button></form>`
    }
${together.size === 0 && html`<p class="note">${say('desk.blocks.none')}</p>`}
<ul class="story">${[...together.values()].map(line)}</ul>
${nextPageLink('/desk/blocks', query, pagination, localizer)}
<p class="soft">${say('desk.blocks.regular')}</p>`,
  }
}

/** Removes all blocked times that one entry of the page combines. Ignores blocked times that no longer exist. */
export async function unblock(
  form: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<DeskView | { to: string }> {
  if (!isAllowed(deskRequest.who, unblockTime)) return missingRolePage(unblockTime, deskRequest)
  for (const block_id of form.getAll('block').slice(0, MOST_TOGETHER))
    await callAsStaff(unblockTime, { block_id }, deskRequest, dependencies).catch(ignoreNotFound)
  return { to: '/desk/blocks' }
}
