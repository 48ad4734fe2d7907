import { assistedHoldById, type HoldRow } from '../../domain/availability/hold-queries.ts'
import type { Means } from '../../protocol/means.ts'
import { sameTag, type Tag } from '../../protocol/tags.ts'

const TAG_BYTES = 12
const codeOf = (tag: Tag, hold: string) => `${hold}.${tag('booking status', hold, TAG_BYTES)}`

/** By which an assistant asks what became of what it kept for somebody. It opens nothing, and is good for as long as holds are known. */
export const statusCode = (tag: Tag, { id }: { id: string }): string => codeOf(tag, id)

/** What was kept first under the code, whatever became of it. */
export async function holdOfCode(code: string, { db, tag }: Means<'db' | 'tag'>): Promise<HoldRow | undefined> {
  const [id = ''] = code.split('.', 1)
  return sameTag(codeOf(tag, id), code) ? assistedHoldById(db, id) : undefined
}
