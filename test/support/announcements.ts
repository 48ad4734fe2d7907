import { afterAll } from 'vitest'
import { Announcements } from '../../src/core/jobs/announcements.ts'

/** What a database announces, while the file's tests run. */
export function testAnnouncements(databaseUrl: string): Announcements {
  const announcements = new Announcements(databaseUrl)
  afterAll(() => announcements.close())
  return announcements
}
