import { afterAll } from 'vitest'
import { Announcements } from '../../src/core/jobs/announcements.ts'

/** Listens to the notifications of a database until the tests of the file end. */
export function testAnnouncements(databaseUrl: string): Announcements {
  const announcements = new Announcements(databaseUrl)
  afterAll(() => announcements.close())
  return announcements
}
