import { localizerFor } from '../../infra/i18n/localizer.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import type { CreateCheckout } from '../../protocol/types.generated.ts'

/** The language of the buyer that the platform sent. Null if the server has no texts in this language. */
export function localeOfBuyer({ context }: Pick<CreateCheckout['input'], 'context'>): string | null {
  const { language } = asRecord(context)
  return typeof language === 'string' ? (localizerFor(language)?.locale ?? null) : null
}
