import type { Speech } from '../../../languages/speech.ts'
import { labelOf } from './labels.ts'

/** A place in the definition by the names that the forms have; what tells the things of a list apart stands in brackets. */
export const pathText = (path: string, speech: Speech): string =>
  [...path.matchAll(/[^.[\]]+|\[[^\]]*\]/g)]
    .map(([part]) => (part.startsWith('[') ? speech.isolate(part.slice(1, -1)) : labelOf(part, speech)))
    .filter(Boolean)
    .join(' › ')

/** The same where the things of a list are counted from nothing, as programs do. */
export const countedPathText = (path: string, speech: Speech): string =>
  pathText(
    path.replace(/\[(\d+)\]/g, (_, index) => `[${Number(index) + 1}]`),
    speech,
  )
