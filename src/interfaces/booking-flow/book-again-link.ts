import { isOpenToBrowsers } from '../../core/business/definition-facts.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { shownPlan } from './listed-services.ts'

/** Returns a link to book the same service again. The result is empty if the booking pages do not show the service. */
export const bookAgain = (definition: BusinessDefinition, serviceId: string, { say }: Localizer): Content =>
  isOpenToBrowsers(definition) &&
  shownPlan(definition, serviceId) &&
  html`<p><a class="button plain" href="/book/${serviceId}">${say('booking.again')}</a></p>`
