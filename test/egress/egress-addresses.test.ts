import { describe, expect, test } from 'vitest'
import { checkedUrl } from '../../src/core/egress/call-external-url.ts'
import { readConfig } from '../../src/infra/config/read-config.ts'

const production = readConfig({
  USP_MODE: 'production',
  DATABASE_URL: 'postgres://db.example/usp',
  BASE_URL: 'https://book.example',
  USP_SECRET_KEY: 'k'.repeat(32),
})
const development = readConfig({})
const exposed = readConfig({ HOST: '0.0.0.0' })
const reason = (reason: string) => expect.objectContaining({ reason })

const loopback = [
  '127.0.0.1',
  '127.255.255.254',
  '127.1',
  '127.0.0.1.',
  '2130706433',
  '017700000001',
  '0177.0.0.1',
  '0x7f000001',
  '0x7F.0x0.0x1',
  '%31%32%37.0.0.1',
  '①②⑦.⓪.⓪.①',
  '１２７。０。０。１',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
]

const special = {
  'this network': ['0.0.0.0', '0', '0x0', '0.1.2.3', '[::]'],
  private: ['10.0.0.1', '10.0.0.1.', '167772161', '012.0.0.1', '0xa000001', '172.16.0.1', '172.31.255.255'],
  'private, in other clothes': ['192.168.1.1', '3232235777', '0xc0.0xa8.1.1', '１０.0.0.1', '[::ffff:10.0.0.1]'],
  'link-local': ['169.254.0.1', '[fe80::1]', '[febf::1]'],
  'shared and benchmarking': ['100.64.0.1', '100.127.255.255', '198.18.0.1', '198.19.255.255'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '[2001:db8::1]', '[3fff::1]'],
  'multicast, broadcast and reserved': ['224.0.0.1', '239.1.1.1', '240.0.0.1', '255.255.255.255', '[ff02::1]'],
  'protocol assignments': ['192.0.0.1', '192.88.99.1', '[2001::1]', '[100::1]', '[5f00::1]'],
  'unique local and site local': ['[fd00::1]', '[fc00::1]', '[fec0::1]'],
  'IPv4 within IPv6 (NAT64, 6to4, translated, compatible)': [
    '[64:ff9b::a00:1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::a00:1]',
    '[2002:a00:1::]',
    '[2002:7f00:1::1]',
    '[::ffff:0:a00:1]',
    '[::127.0.0.1]',
    '[::10.0.0.1]',
  ],
}

describe.each([
  ['development', development],
  ['production', production],
])('in %s', (_, config) => {
  test.each(Object.entries(special))(
    '[PRO-047] [PRO-051] an address that is %s is refused however it is spelled',
    (_, hosts) => {
      for (const host of hosts)
        expect(() => checkedUrl(`https://${host}/profile.json`, config), host).toThrow(reason('forbidden'))
    },
  )

  test.each([
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '169.254.43518',
    '[::ffff:a9fe:a9fe]',
    '[fd00:ec2::254]',
  ])('[PRO-048] the metadata service of a cloud is refused: %s', (host) => {
    expect(() => checkedUrl(`https://${host}/latest/meta-data`, config)).toThrow(reason('forbidden'))
    expect(() => checkedUrl(`https://${host}:8443/`, config)).toThrow(reason('forbidden'))
  })

  test.each([
    ['Azure', ['168.63.129.16', '2822734096', '0xa8.0x3f.129.16', '[::ffff:168.63.129.16]', '168.63.129.16.']],
    ['IBM Cloud', ['161.26.0.10', '161.26.255.255', '166.8.0.1', '166.9.250.3', '166.11.255.255']],
    ['Google Cloud', ['199.36.153.4', '199.36.153.11', '[2600:2d00:2:1000::]', '[2600:2d00:2:2000::1]']],
  ])("[PRO-048] a public number that leads to %s's own services is refused however it is spelled", (_, hosts) => {
    for (const host of hosts) expect(() => checkedUrl(`https://${host}/`, config), host).toThrow(reason('forbidden'))
    for (const beside of ['168.63.129.15', '168.63.129.17', '161.27.0.1', '166.12.0.1', '199.36.153.12'])
      expect(checkedUrl(`https://${beside}/`, config).hostname).toBe(beside)
  })

  test.each([
    'http://agent.example/profile.json',
    'HTTP://agent.example/',
    'ftp://agent.example/p',
    'file:///etc/passwd',
    'data:application/json,{}',
    'blob:https://agent.example/1',
    'javascript:1',
    'gopher://agent.example:70/',
    'wss://agent.example/',
  ])('[PRO-046] only https is called: %s', (url) => {
    expect(() => checkedUrl(url, config)).toThrow(reason('forbidden'))
  })

  test.each([
    '',
    'profile.json',
    '//agent.example/p',
    'https://',
    'https://a b/',
    'https://[::1/',
    'https://256.256.256.256/',
    'https://10.0.0.0x100/',
    'https://agent.example:99999/',
  ])('[PRO-044] what is no absolute URL is refused: %j', (url) => {
    expect(() => checkedUrl(url, config)).toThrow(reason('forbidden'))
  })

  test.each([
    'https://user@agent.example/',
    'https://user:secret@agent.example/',
    'https://:secret@agent.example/',
    'https://agent.example%40@10.0.0.1/',
    'https://agent.example:443@127.0.0.1/',
  ])('[PRO-047] who hides the host behind a user name gets nowhere: %s', (url) => {
    expect(() => checkedUrl(url, config)).toThrow(reason('forbidden'))
  })

  test.each([
    'https://agent.example/profile.json',
    'https://agent.example:8443/profile.json?a=b',
    'https://AGENT.example./',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
    'https://10.0.0.1.agent.example/',
    'https://agent.example\\@10.0.0.1/',
  ])('[PRO-047] a public host is not refused for its form: %s', (url) => {
    expect(checkedUrl(url, config).href).toBe(new URL(url).href)
  })
})

test.each(loopback)('[PRO-052] [PRO-051] loopback is called by a development server on loopback alone: %s', (host) => {
  const url = `https://${host}:8443/profile.json`
  for (const own of ['127.0.0.1', 'localhost', '::1'])
    expect(checkedUrl(url, readConfig({ HOST: own })).protocol).toBe('https:')
  for (const config of [
    production,
    exposed,
    { ...production, host: '127.0.0.1' },
    { ...development, host: '10.0.0.5' },
    { ...development, host: 'desk.example' },
  ])
    expect(() => checkedUrl(url, config)).toThrow(reason('forbidden'))
})
