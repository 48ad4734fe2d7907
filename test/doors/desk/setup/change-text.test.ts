import { expect, test } from 'vitest'
import { Html } from '../../../../src/basics/html.ts'
import { differences } from '../../../../src/definition/differences.ts'
import { changeText } from '../../../../src/doors/desk/setup/change-text.ts'
import { english, type Speech, speechOf } from '../../../../src/languages/speech.ts'
import type { OpeningWindow } from '../../../../src/protocol/types.generated.ts'
import { businessWith, service } from '../../../support/definitions.ts'

const hours = (opens: string): OpeningWindow[] => [{ days: ['monday'], opens, closes: '18:00' }]
const before = businessWith([service('svc_a'), service('svc_b')], {
  hours: hours('09:00'),
  reminder: ['PT2H', 'PT24H'],
})
const after = businessWith([service('svc_a', { name: 'Cut' }), service('svc_c')], {
  ...{ hours: hours('10:00'), reminder: ['PT24H', 'PT2H'] },
  capabilities: {},
})

const changes = await differences(before, after)

const linesIn = (speech: Speech): string[] =>
  changes.map((change) => {
    const content = changeText(change, speech)
    return content instanceof Html
      ? content.text
          .replace(/<[^>]+>/g, ' ')
          .replace(/\s+/g, ' ')
          .trim()
      : ''
  })

test('[in every language] what changes is told by the names that the forms have', () => {
  expect(linesIn(english())).toMatchInlineSnapshot(`
    [
      "Changed: Hours monday › Opens: &quot;09:00&quot; → &quot;10:00&quot;",
      "Changed: Reminder in another order",
      "Added: Capabilities of your own",
      "Added: Services · svc_c",
      "Changed: Services · svc_a Name: &quot;Service svc_a&quot; → &quot;Cut&quot;",
      "Removed: Services · svc_b",
    ]
  `)
  const german = speechOf('de') ?? english()
  expect(linesIn(german).join('\n')).not.toMatch(/in another order|nothing|\bhours\b/)
})
