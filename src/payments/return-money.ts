import type { Change } from '../db/change.ts'
import type { Means } from '../protocol/means.ts'
import { ProviderError } from './provider.ts'
import type { Providers } from './providers.ts'
import { type DueRefund, refundEnd, refundsTake } from './queries.ts'

const AT_ONCE = 20

/** Tells whoever has to do something now that a provider will not give something back, in the change that writes it down. */
export type TellOfRefusal = (tx: Change, due: DueRefund, why: string) => Promise<void>

type ReturnMeans = Means<'db' | 'makeChange' | 'clock' | 'log'> & { payments: Providers }

/** Gives back what is to be given back. Whatever cannot be done now is due again later, until the provider has decided. */
export async function returnMoney(means: ReturnMeans, tellOfRefusal: TellOfRefusal): Promise<void> {
  const { db, clock, log } = means
  for (const due of await refundsTake(db, AT_ONCE, clock()))
    await give(means, due, tellOfRefusal).catch((error) => log.warn({ err: error, refund: due.id }, 'refund put off'))
}

async function give(
  { db, makeChange, payments, log }: ReturnMeans,
  due: DueRefund,
  tellOfRefusal: TellOfRefusal,
): Promise<void> {
  const { id, receipt, booking_id, provider: name, amount, currency, attempts } = due
  const provider = await payments.named(name)
  if (!provider) throw new Error(`The settings have no account for ${name}`)
  try {
    const again = attempts > 1
    const given = await provider.refund({ id, receipt, bookingId: booking_id, amount, currency, again })
    await refundEnd(db, id, 'given', given)
  } catch (error) {
    if (!(error instanceof ProviderError && error.isFinal)) throw error
    await makeChange(async (tx) => {
      await refundEnd(tx, id, 'refused', error.message)
      await tellOfRefusal(tx, due, error.message)
    })
    log.error(
      { refund: id, booking: booking_id, reason: error.message },
      'the provider refuses a refund: return it by hand',
    )
  }
}
