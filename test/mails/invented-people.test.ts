import { expect, test } from 'vitest'
import { outboxFor, willMail } from '../../src/core/mails/build-queued-mails.ts'
import { INVENTED_DOMAIN } from '../../src/infra/util/email-address.ts'
import { businessWith, service } from '../support/definitions.ts'

const definition = { ...businessWith([service('svc_cut')]), mails: { staff: ['desk@salon.example'] } }
const outbox = outboxFor(definition, ['mail', 'webhook'])
const mailTo = (to: Parameters<typeof outbox>[0]['to']) =>
  outbox({ kind: 'booking.reminder', subject: 'booking bkg_1', snapshot: {}, to }, new Date())

test('[demo data] invented people get no mail and no message of the webhook', () => {
  expect(mailTo({ email: `amara.okafor@${INVENTED_DOMAIN}`, phone: '+12125550110' })).toEqual([])
  expect(mailTo({ email: `Amara.Okafor@${INVENTED_DOMAIN.toUpperCase()}` })).toEqual([])
  expect(mailTo({ email: 'alice@example.com' })).toHaveLength(2)
  expect(mailTo('staff')).toHaveLength(2)
})

test('[demo data] no page promises a mail to invented people', () => {
  const promised = (email: string) => willMail({ email }, { definition, isMailSetUp: true })
  expect([promised(`amara@${INVENTED_DOMAIN}`), promised('alice@example.com')]).toEqual([false, true])
})
