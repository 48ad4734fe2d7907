import { expect, test } from 'vitest'
import { deliveriesTake } from '../../src/events/queries.ts'
import { mailsTake } from '../../src/mails/queries.ts'
import { registrationsTake } from '../../src/registry/listings/check-queries.ts'
