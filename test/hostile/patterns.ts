import { attacksOn } from './attacks.ts'
import { ANY_TEXT, largest } from './largest.ts'
import type { Subject } from './measure.ts'
import { calls, type Pattern, patterns } from './source.ts'

export const nameOf = ({ file, source, flags }: Pattern) => `${file} /${source}/${flags}`

/** Every regular expression of the source, against everything that its own form suggests. */
export const subjects = (): Record<string, Subject> =>
  Object.fromEntries(
    patterns.flatMap((pattern) =>
      attacksOn(pattern).map(({ what, text }) => [
        `${nameOf(pattern)} on ${what}`,
        {
          largest: largest[pattern.file]?.[pattern.source] ?? ANY_TEXT,
          prepare: (size: number) => {
            const given = text(Math.ceil(size))
            return () => used(pattern, given)
          },
        },
      ]),
    ),
  )

const splitting = new Set(calls.filter(({ name }) => name.endsWith('.split')).map(({ file, given }) => file + given))

/** As it is in the source: all there is of a global one, and once of any other. */
function used({ file, source, flags }: Pattern, text: string) {
  const pattern = new RegExp(source, flags)
  if (splitting.has(`${file}/${source}/${flags}`)) return text.split(pattern)
  return flags.includes('g') ? text.replace(pattern, '') : pattern.exec(text)
}
