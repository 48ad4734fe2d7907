import { afterAll } from 'vitest'
import { Announcements } from '../../src/core/jobs/postgres-notify-listener.ts'

export function testAnnouncements(databaseUrl: string): Announcements {
  const announcements = new Announcements(databaseUrl)
  afterAll(() => announcements.close())
  return announcements
}
