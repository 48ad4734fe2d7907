import { expect, test } from 'vitest'
import { differences } from '../../../../src/domain/definition/compare-definitions.ts'
import { englishLocalizer, type Localizer, localizerFor } from '../../../../src/infra/i18n/localizer.ts'
import { Html } from '../../../../src/infra/util/html-template.ts'
import { changeText } from '../../../../src/interfaces/desk/setup/describe-definition-change.ts'
import type { BusinessDefinition, OpeningWindow } from '../../../../src/protocol/types.generated.ts'
import { businessWith, service } from '../../../support/definitions.ts'

const hours = (opens: string): OpeningWindow[] => [{ days: ['monday'], opens, closes: '18:00' }]
const before = businessWith([service('svc_a'), service('svc_b')], {
  hours: hours('09:00'),
  reminder: ['PT2H', 'PT24H'],
  special_hours: [{ from: '2026-12-31', opens: '09:00', closes: '12:00' }],
})
const cut = {
  name: 'Cut',
  duration: { fixed: 'PT45M' },
  pricing: { model: 'fixed', amount: 1250, currency: 'EUR' },
} as const
const after = businessWith([service('svc_a', cut), service('svc_c')], {
  hours: hours('10:00'),
  reminder: ['PT24H', 'PT2H'],
  capabilities: {},
  special_hours: [{ from: '2026-12-24', opens: '09:00', closes: '12:00' }],
})

const changes = await differences(before, after)

const linesIn = (localizer: Localizer, all = changes): string[] =>
  all.map((change) => {
    const content = changeText(change, before, localizer)
    return content instanceof Html
      ? content.text
          .replace(/<[^>]+>/g, ' ')
          .replace(/\s+/g, ' ')
          .trim()
      : ''
  })

test('[in every language] what changes is told by the names that the forms have', () => {
  expect(linesIn(englishLocalizer())).toMatchInlineSnapshot(`
    [
      "Changed: Opening hours Mon › Opens: 09:00 → 10:00",
      "Changed: Reminder in a new order",
      "Changed: Special hours Removed: Dec 31, 2026 Added: Dec 24, 2026",
      "Added: Custom capabilities",
      "Added: Services · svc_c",
      "Changed: Services · Service svc_a Name: Service svc_a → Cut Duration › Fixed: 60 minutes → 45 minutes Price › Amount: $75.00 → $12.50 Price › Currency: USD → EUR",
      "Removed: Services · Service svc_b",
    ]
  `)
  const german = localizerFor('de') ?? englishLocalizer()
  expect(linesIn(german).join('\n')).not.toMatch(/in a new order|nothing|\bhours\b/)
})

test('[reminders] a change names the time and the channel of each', async () => {
  const services = (reminder: BusinessDefinition['reminder']) => [
    service('svc_a', reminder === undefined ? {} : { reminder }),
  ]
  const all = await differences(
    businessWith(services(undefined), { reminder: ['P1D', 'PT2H'] }),
    businessWith(services([{ before: 'PT3H', by: 'mail' }]), {
      reminder: ['P1D', { before: 'PT2H', by: 'text' }, { before: 'PT1H' }],
    }),
  )
  expect(all.map(({ what, details }) => [what, ...details])).toMatchInlineSnapshot(`
    [
      [
        "reminder",
        ": "PT2H" → nothing",
        ": nothing → {"before":"PT2H","by":"text"}",
        ": nothing → {"before":"PT1H"}",
      ],
      [
        "service svc_a",
        "reminder: nothing → [{"before":"PT3H","by":"mail"}]",
      ],
    ]
  `)
  expect(linesIn(englishLocalizer(), all)).toMatchInlineSnapshot(`
    [
      "Changed: Reminder 2 hours → nothing nothing → 2 hours (Text message, otherwise email) nothing → 1 hour",
      "Changed: Services · Service svc_a Reminder: nothing → 3 hours (Only email)",
    ]
  `)
  const german = linesIn(localizerFor('de') ?? englishLocalizer(), all).join()
  expect(german).toContain('2 Stunden (SMS, sonst E-Mail)')
})
