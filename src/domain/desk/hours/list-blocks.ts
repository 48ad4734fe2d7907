import { zoneOf } from '../../../core/business/definition-facts.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import { shape } from '../../../protocol/json-schemas.ts'
import { canonical } from '../../../protocol/parse-json-safely.ts'
import type { ListBlocks } from '../../../protocol/types.generated.ts'
import { BLOCK_PAGE, DESK_CURSOR_SECONDS } from '../shared/desk-list-limits.ts'
import { atDesk } from '../shared/operation-defaults.ts'
import { type BlockPosition, blocksAhead } from './block-queries.ts'
import { blockShape, toBlock } from './block-schema.ts'

export const listBlocks = defineOperation<ListBlocks>({
  ...atDesk,
  id: 'listBlocks',
  rest: 'GET /business/blocks',
  tool: 'usp_business_blocks_list',
  title: 'List blocked time',
  description: 'Lists current and future blocks, earliest first.',
  effect: 'read',
  input: {
    type: 'object',
    properties: {
      resource_id: { type: 'string', description: 'Only blocks of this person or thing.' },
      cursor: {
        type: ['string', 'null'],
        description: 'Cursor of the previous page, if any.',
      },
      limit: { type: 'integer', minimum: 1, default: BLOCK_PAGE.usual, description: 'Blocks per page.' },
    },
  },
  output: {
    type: 'object',
    required: ['blocks', 'pagination'],
    properties: { blocks: { type: 'array', items: blockShape }, pagination: shape('Pagination') },
  },
  summary: ({ blocks }) => (blocks.length === 1 ? 'One block.' : `${blocks.length} blocks.`),
  async handle(context) {
    const { input, db, now, cursors } = context
    const { resource_id: resource, cursor, limit = BLOCK_PAGE.usual } = input
    const scope = canonical(['listBlocks', resource ?? null])
    const after = cursor ? (cursors.open(scope, cursor, now, DESK_CURSOR_SECONDS) as BlockPosition) : undefined
    const size = Math.min(limit, BLOCK_PAGE.most)
    const rows = await blocksAhead(db, { resource, after, limit: size + 1 }, now)
    const page = rows.slice(0, size)
    const end = rows.length > size ? page.at(-1) : undefined
    const zone = await zoneOf(context)
    return {
      blocks: page.map((row) => toBlock(row, zone)),
      pagination: {
        cursor: end ? cursors.seal(scope, [end.starts_at.getTime(), end.id], now) : null,
        has_more: end !== undefined,
      },
    }
  },
})
