import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { hasBrowser } from '../browser/chromium.ts'

test.runIf(hasBrowser)(
  '[a conversation with an assistant] against `npm start` is word for word that of the page',
  { timeout: 900_000 },
  async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'usp-conversation-')), 'page.md')
    await promisify(execFile)('npm', ['run', 'transcript', '--', file])
    expect(readFileSync(file, 'utf8')).toBe(readFileSync('docs/assistant-conversation.md', 'utf8'))
  },
)
