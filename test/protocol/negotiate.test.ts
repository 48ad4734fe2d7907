import fc from 'fast-check'
import { expect, test } from 'vitest'
import { capabilitiesConcerning, negotiate, type Offered } from '../../src/protocol/capabilities.ts'

const of = (...versions: string[]) => versions.map((version) => ({ version }))
const [OLD, MIDDLE, NEW] = ['2026-01-01', '2026-06-14', '2026-08-20']
const agreed = (ours: Offered, theirs: Offered) => Object.fromEntries(negotiate(ours, theirs))

test.each<[string, string, Offered, Offered, object]>([
  ['[PRO-079]', 'what both have', { a: of(NEW), b: of(NEW) }, { b: of(NEW), c: of(NEW) }, { b: NEW }],
  ['[PRO-079]', 'nothing when the platform has nothing', { a: of(NEW) }, {}, {}],
  ['[PRO-079]', 'nothing when the platform lists no version', { a: of(NEW) }, { a: [] }, {}],
  ['[PRO-079]', 'nothing inherited from every object', { constructor: of(NEW), toString: of(NEW) }, {}, {}],
  ['[PRO-082]', 'the highest common version', { a: of(OLD, NEW, MIDDLE) }, { a: of(OLD, MIDDLE) }, { a: MIDDLE }],
  ['[PRO-082]', 'it in any order', { a: of(NEW, OLD, MIDDLE) }, { a: of(MIDDLE, NEW, OLD) }, { a: NEW }],
  ['[PRO-083]', 'nothing without a common version', { a: of(NEW) }, { a: of(OLD, MIDDLE) }, {}],
  ['[PRO-083]', 'nothing with a later version alone', { a: of(OLD) }, { a: of(NEW) }, {}],
  [
    '[PRO-084]',
    'no extension without its parent',
    { a: of(NEW), x: [{ version: NEW, extends: 'a' }] },
    { x: of(NEW) },
    {},
  ],
  [
    '[PRO-084]',
    'no extension whose parent has no common version',
    { a: of(NEW), x: [{ version: NEW, extends: 'a' }] },
    { a: of(OLD), x: of(NEW) },
    {},
  ],
  [
    '[PRO-084]',
    'no extension of an extension that fell',
    { a: of(NEW), x: [{ version: NEW, extends: 'a' }], y: [{ version: NEW, extends: 'x' }], z: of(NEW) },
    { x: of(NEW), y: of(NEW), z: of(NEW) },
    { z: NEW },
  ],
  [
    '[PRO-084]',
    'an extension that one of its parents carries',
    { a: of(NEW), b: of(NEW), x: [{ version: NEW, extends: ['a', 'b'] }] },
    { b: of(NEW), x: of(NEW) },
    { b: NEW, x: NEW },
  ],
])('%s agreed on is %s: %s', (_, __, ours, theirs, expected) => expect(agreed(ours, theirs)).toEqual(expected))

const requiring = (requires: object, parent: string[] = [NEW]) => [
  { a: of(...parent), x: [{ version: NEW, extends: 'a', requires }] },
  { a: of(...parent), x: of(NEW) },
]

test.each<[string, object, boolean]>([
  ['nothing', {}, true],
  ['this very protocol version', { protocol: { min: NEW, max: NEW } }, true],
  ['an earlier one at least', { protocol: { min: OLD } }, true],
  ['a later protocol', { protocol: { min: '2026-08-21' } }, false],
  ['an earlier protocol', { protocol: { max: '2026-08-19' } }, false],
  ['the version of the parent agreed on', { capabilities: { a: { min: NEW, max: NEW } } }, true],
  ['a later parent', { capabilities: { a: { min: '2027-01-01' } } }, false],
  ['an earlier parent', { capabilities: { a: { max: MIDDLE } } }, false],
  ['a capability that is not shared', { capabilities: { b: {} } }, false],
  ['one thing that fits and one that does not', { capabilities: { a: {}, b: { min: OLD } } }, false],
])('[PRO-090] of an extension that requires %s', (_, requires, isAgreed) => {
  const [ours = {}, theirs = {}] = requiring(requires)
  expect('x' in agreed(ours, theirs)).toBe(isAgreed)
})

test('[PRO-090] what is required is measured against the version agreed on, not against the highest that is offered', () => {
  const [ours = {}] = requiring({ capabilities: { a: { min: NEW } } }, [OLD, NEW])
  expect(agreed(ours, { a: of(OLD), x: of(NEW) })).toEqual({ a: OLD })
})

test('[PRO-090] [PRO-084] what carries or requires an extension that fell, falls with it', () => {
  const ours = {
    a: of(NEW),
    x: [{ version: NEW, extends: 'a', requires: { protocol: { min: '2027-01-01' } } }],
    y: [{ version: NEW, extends: 'x' }],
    z: [{ version: NEW, extends: 'a', requires: { capabilities: { y: {} } } }],
  }
  expect(agreed(ours, { a: of(NEW), x: of(NEW), y: of(NEW), z: of(NEW) })).toEqual({ a: NEW })
})

test('[PRO-080] an answer concerns its own capability and the extensions of it', () => {
  const ours: Offered = { a: of(NEW), b: of(NEW), x: [{ version: NEW, extends: ['a'] }] }
  const all = negotiate(ours, { a: of(NEW), b: of(NEW), x: of(NEW) })
  expect([...capabilitiesConcerning('a', all, ours).keys()].sort()).toEqual(['a', 'x'])
  expect([...capabilitiesConcerning('b', all, ours).keys()]).toEqual(['b'])
})

const names = ['a', 'b', 'c', 'd']
const versions = fc.uniqueArray(fc.constantFrom(OLD, MIDDLE, NEW), { minLength: 1 })
const offered = fc.dictionary(
  fc.constantFrom(...names),
  fc
    .tuple(versions, fc.option(fc.constantFrom(...names), { nil: undefined }))
    .map(([list, parent]) => list.map((version) => ({ version, ...(parent !== undefined && { extends: parent }) }))),
)

test('[PRO-079] [PRO-082] [PRO-083] [PRO-084] whatever is offered, only the highest common version is agreed on, and no orphan', () => {
  fc.assert(
    fc.property(offered, offered, (ours, theirs) => {
      const both = negotiate(ours, theirs)
      for (const [name, version] of both) {
        const common = (ours[name] ?? []).filter((one) => theirs[name]?.some((other) => other.version === one.version))
        expect(version).toBe(
          common
            .map((one) => one.version)
            .sort()
            .at(-1),
        )
        const parent = common[0]?.extends
        if (parent !== undefined) expect(both.has(parent)).toBe(true)
      }
    }),
  )
})
