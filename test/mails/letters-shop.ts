import type { NotificationText } from '../../src/core/mails/notification-text.ts'
import { localizerFor } from '../../src/infra/i18n/localizer.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { NINE_TO_SIX, withDeposit, withPolicies } from '../bookings/shop.ts'
import { businessWith, service } from '../support/definitions.ts'
import { type Desk, type Shop, testShop } from '../support/desk.ts'
import { CLASS, classOfOne } from '../waitlist/queue.ts'

const usual = service('svc').policies
const { payment_timing: _, ...unpaid } = usual
const late = { allowed: true, free_cancellation_until: 'PT24H', late_cancellation_fee: 2000 }

/** A business that tells whoever books everything, and its staff too. */
export const talking: BusinessDefinition = businessWith(
  [
    withPolicies('svc_spot', { cancellation: late, no_show: { fee: 2500 } }),
    withPolicies('svc_paid', { payment_timing: 'at_booking', cancellation: late, no_show: { fee_percentage: 50 } }),
    withDeposit('fixed', 3000),
    { ...withDeposit('fixed', 3000), id: 'svc_cheap', price_rules: [{ amount: 2000 }] },
    withPolicies('svc_asked', { payment_timing: 'at_booking', confirmation_mode: 'manual' }),
    withPolicies('svc_free_asked', { confirmation_mode: 'manual' }),
    withPolicies(
      'svc_dear',
      { payment_timing: 'at_booking' },
      { price_rules: [{ name: 'Late', from: '15:00', amount: 10_000 }] },
    ),
    withPolicies(
      'svc_all',
      { payment_timing: 'at_booking' },
      { waiver: { text: 'At my own risk.' }, intake: [{ id: 'music', question: 'Which music?' }] },
    ),
    service('svc_signed', {
      pricing: { model: 'free', currency: 'USD' },
      policies: { ...unpaid, requires_payment: false },
      waiver: { text: 'At my own risk.' },
    }),
    classOfOne,
  ],
  {
    hours: NINE_TO_SIX,
    locations: [{ id: 'loc_main', name: 'Main Street', address: '1 Main St, New York' }],
    payments: {
      window: 'P1D',
      manual: {
        how: 'Cash or card at our desk, any day from 9 to 6.',
        bank_transfer: { account_holder: 'Test Studio LLC', iban: 'DE02 1203 0000 0000 2020 51', bic: 'BYLADEM1001' },
        phone: true,
      },
    },
    website: { contact: { phone: '+12125550143', email: 'hello@studio.example' } },
    mails: { platform_buyers: 'all', staff: ['desk@studio.example'] },
  },
)

export const QUEUE = CLASS

export interface Told {
  kind: string
  audience: string
  recipient: string
  locale: string
  letter: NotificationText
}

/** With what was written to whom. */
export async function talkingShop(
  more: Partial<BusinessDefinition> = {},
  env: NodeJS.ProcessEnv = {},
  databaseUrl = '',
) {
  const definition = { ...talking, ...more }
  const shop = await testShop(definition, { env: { BASE_URL: 'https://book.example', ...env }, databaseUrl })
  const { db, letters } = shop.runtime
  return {
    ...shop,
    definition,
    /** All letters about a booking or an entry, in their order, as they would be sent now. */
    async lettersOf({ id }: { id: string }): Promise<Told[]> {
      const subjects = [`booking ${id}`, `entry ${id}`]
      const rows = await db.selectFrom('mails').selectAll().where('subject', 'in', subjects).orderBy('number').execute()
      return rows.flatMap(({ kind, subject, audience, recipient, locale, snapshot }) => {
        if (snapshot === null) return []
        const localizer = localizerFor(locale)
        if (!localizer || (audience !== 'buyer' && audience !== 'staff')) throw new Error(`${locale}, ${audience}`)
        const letterOf = subject.startsWith('entry') ? letters.entry : letters.booking
        const letter = letterOf({ kind, snapshot, audience, sender: env.MAIL_FROM }, localizer, definition)
        return letter ? [{ kind, audience, recipient, locale, letter }] : []
      })
    },
  }
}

export type TalkingShop = Awaited<ReturnType<typeof talkingShop>>

/** Books the nth slot of a service from behind. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
export const bookedBy = async (desk: Desk, serviceId: string, nth = -1): Promise<any> => {
  const { data } = await desk.book((await desk.slots(serviceId)).at(nth))
  return data.booking
}

export const staffOf = (desk: Desk, shop: Shop) => (what: string, input: Record<string, unknown>) =>
  desk.call(`usp_business_${what}`, input, { as: shop.staff })
