import { mailServerRevision, storedMailServer } from '../../../core/business/mail-server-queries.ts'
import { lastTest, TEST_MAIL } from '../../../core/mails/test-mail-queries.ts'
import { MAX_SENDER_CHARACTERS, type StoredMailServer } from '../../../infra/config/mail-server.ts'
import type { Config } from '../../../infra/config/read-config.ts'
import type { Database } from '../../../infra/db/database.ts'
import { BusinessRefusal } from '../../../protocol/errors.ts'
import { atDesk } from '../shared/operation-defaults.ts'

/**
 * Settings that all operations on the mail server share. Only owners may call these operations, because the mail server
 * receives all mails. Some of these mails contain links that sign an owner in.
 */
export const onMailServer = { ...atDesk, role: 'owner' } as const

export const LONGEST_HOST = 253
const LONGEST_CREDENTIAL = 500

const HOST = 'The host name of the mail server, such as smtp.example.com.'
const SECURITY =
  'tls: the connection uses TLS from the start, usually on port 465. starttls: it changes to TLS before the sign-in, ' +
  'usually on port 587.'
const SENDER = 'The sender of the mails: an email address, or a name and an address in angle brackets.'

export const mailServerInput = {
  host: { type: 'string', minLength: 1, maxLength: LONGEST_HOST, pattern: '^[A-Za-z0-9.-]+$', description: HOST },
  port: { type: 'integer', minimum: 1, maximum: 65_535, description: 'The port of the mail server.' },
  security: { enum: ['tls', 'starttls'], description: SECURITY },
  username: {
    type: 'string',
    minLength: 1,
    maxLength: LONGEST_CREDENTIAL,
    description: 'The user name at the mail server. Leave it out if the mail server needs no sign-in.',
  },
  password: {
    type: 'string',
    minLength: 1,
    maxLength: LONGEST_CREDENTIAL,
    description: 'The password. Leave it out to keep the stored one, if the host and the user name stay the same.',
  },
  sender: { type: 'string', minLength: 1, maxLength: MAX_SENDER_CHARACTERS, description: SENDER },
} as const

export const mailServerOutput = {
  type: 'object',
  required: ['source'],
  properties: {
    source: {
      enum: ['operator', 'desk', 'none'],
      description:
        'Where the mail server comes from. operator: the settings SMTP_URL and MAIL_FROM, which come first. desk: an ' +
        'owner entered it. none: there is none.',
    },
    mail_server: {
      type: 'object',
      required: ['host', 'port', 'security', 'has_password', 'sender'],
      description: 'The mail server that an owner entered.',
      properties: {
        host: { type: 'string', description: HOST },
        port: { type: 'integer', description: 'The port of the mail server.' },
        security: { enum: ['tls', 'starttls'], description: SECURITY },
        username: { type: 'string', description: 'The user name at the mail server.' },
        has_password: { type: 'boolean', description: 'Whether a password is stored. It is never shown.' },
        sender: { type: 'string', description: SENDER },
      },
    },
    last_test: {
      type: 'object',
      required: ['status'],
      description: 'The latest test mail.',
      properties: {
        status: { enum: ['waiting', 'sent', 'given_up', 'dropped'], description: 'The status of the test mail.' },
        problem: { type: 'string', description: 'What the mail server answered, or why it was not reached.' },
      },
    },
  },
} as const

/** Describes the current mail server. The description does not contain the password. */
export async function describeMailServer(db: Database, config: Config) {
  const stored = await storedMailServer(db)
  const test = await lastTest(db, TEST_MAIL, await mailServerRevision(db))
  return {
    source: config.mail ? ('operator' as const) : stored ? ('desk' as const) : ('none' as const),
    ...(stored && {
      mail_server: {
        host: stored.host,
        port: stored.port,
        security: stored.security,
        ...(stored.username !== null && { username: stored.username }),
        has_password: stored.password !== null,
        sender: stored.sender,
      },
    }),
    ...(test && {
      last_test: { status: test.status, ...(test.problem !== null && { problem: test.problem }) },
    }),
  }
}

/** Returns the name of a mail server for the audit log, which never contains the user name or the password. */
export const nameOf = ({ host, port }: Pick<StoredMailServer, 'host' | 'port'>): string => `${host}:${port}`

/** Refuses the call if the operator has configured a mail server. The server would then never use one from the desk. */
export function refuseBesideOperator({ mail }: Config): void {
  if (mail)
    throw new BusinessRefusal(
      'invalid_transition',
      'The operator of this server has set the mail server with SMTP_URL and MAIL_FROM. Ask the operator to change it.',
    )
}
