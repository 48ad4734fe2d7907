import { TEXT_CONSENT } from '../../domain/bookings/text-message-consent.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { BookingBuyer } from '../../protocol/types.generated.ts'
import type { DeskDependencies } from './call-operation-as-staff.ts'

const NAME = 'texts'

/**
 * The box with which the staff note that the customer agrees to text messages. Shown only if the server can send them.
 */
export const textConsentField = async (
  isChecked: boolean,
  { say }: Localizer,
  { business }: DeskDependencies,
): Promise<Content> =>
  (await business.textProvider()) &&
  html`<input type="hidden" name="asks_texts" value="yes"><label class="tick"><input type="checkbox" name="${NAME}" value="on"${isChecked && html` checked`}> ${say('desk.texts')}</label>`

export const hasTextConsent = (form: URLSearchParams): boolean => form.has(NAME)

/** Returns the consent that the form notes. If the form has no box for it, the stored consent stays unchanged. */
export const consentIn = (
  form: URLSearchParams,
  stored: BookingBuyer['consent'] = {},
): Pick<BookingBuyer, 'consent'> =>
  form.has('asks_texts') && (form.has(NAME) || stored[TEXT_CONSENT] !== undefined)
    ? { consent: { ...stored, [TEXT_CONSENT]: form.has(NAME) } }
    : {}
