import { expect, test } from 'vitest'
import { describeHosts, hostsOf } from '../../src/infra/net/parse-database-url.ts'

test.each([
  ['postgres://usp:pw@one.example/usp', ['postgres://usp:pw@one.example/usp'], 'any'],
  [
    'postgresql://usp:p%40w@one.example:5433,two.example,[::1]:5434/usp?target_session_attrs=read-write',
    [
      'postgresql://usp:p%40w@one.example:5433/usp?target_session_attrs=read-write',
      'postgresql://usp:p%40w@two.example/usp?target_session_attrs=read-write',
      'postgresql://usp:p%40w@[::1]:5434/usp?target_session_attrs=read-write',
    ],
    'read-write',
  ],
  ['postgres:///usp?host=/run/postgresql', ['postgres:///usp?host=/run/postgresql'], 'any'],
])('[the hosts of a database are named as libpq reads them] %s', (text, urls, role) => {
  expect(hostsOf(text)).toEqual({ urls, role })
})

test('where a database is can be told without who comes there', () => {
  expect(describeHosts('postgres://usp:swordfish@one.example,two.example:6432/usp')).toBe(
    'one.example:5432, two.example:6432',
  )
})
