import { defineOperation } from '../../../protocol/define-operation.ts'
import type { GetMailServer } from '../../../protocol/types.generated.ts'
import { describeMailServer, mailServerOutput, onMailServer } from './mail-server-schema.ts'

export const getMailServer = defineOperation<GetMailServer>({
  ...onMailServer,
  id: 'getMailServer',
  rest: 'GET /business/mail_server',
  tool: 'usp_business_mail_server_get',
  title: 'Get the mail server',
  description: 'Returns the mail server through which this server sends its mails, without the password.',
  effect: 'read',
  input: { type: 'object', properties: {} },
  output: mailServerOutput,
  summary: ({ source, mail_server: server }) =>
    source === 'none'
      ? 'There is no mail server.'
      : `Mails go out through ${server?.host ?? 'the server of the operator'}.`,
  handle: ({ db, config }) => describeMailServer(db, config),
})
