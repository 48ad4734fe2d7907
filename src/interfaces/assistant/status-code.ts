import { assistedHoldById, type HoldRow } from '../../domain/availability/hold-queries.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import { isEqualInConstantTime, type Tag } from '../../protocol/tags.ts'

const TAG_BYTES = 12
const codeOf = (tag: Tag, hold: string) => `${hold}.${tag('booking status', hold, TAG_BYTES)}`

/**
 * The code that lets an assistant query the status of its hold. It grants no other access and works until holds are
 * deleted.
 */
export const statusCode = (tag: Tag, { id }: { id: string }): string => codeOf(tag, id)

/** The hold with the id in the code, in any state. */
export async function holdOfCode(code: string, { db, tag }: Dependencies<'db' | 'tag'>): Promise<HoldRow | undefined> {
  const [id = ''] = code.split('.', 1)
  return isEqualInConstantTime(codeOf(tag, id), code) ? assistedHoldById(db, id) : undefined
}
