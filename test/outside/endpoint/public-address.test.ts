// Addresses and targets in the public internet.

import { describe, expect, it } from 'vitest'
import { endpointClient } from '../../../src/outside/endpoint/client.ts'
import { notPublicKind } from '../../../src/outside/endpoint/public-address.ts'

describe('an address', () => {
  it.each([
    ['0.0.0.0', 'unspecified'],
    ['0.255.255.255', 'unspecified'],
    ['10.0.0.0', 'private'],
    ['10.255.255.255', 'private'],
    ['100.64.0.1', 'shared by a carrier'],
    ['100.127.255.255', 'shared by a carrier'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['168.63.129.16', "a cloud's own"],
    ['169.254.169.254', 'link-local'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.0.0.192', 'reserved'],
    ['192.0.2.1', 'documentation'],
    ['192.88.99.1', 'reserved'],
    ['192.168.1.1', 'private'],
    ['198.18.0.1', 'benchmarking'],
    ['198.19.255.255', 'benchmarking'],
    ['198.51.100.1', 'documentation'],
    ['203.0.113.1', 'documentation'],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.255', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'reserved'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['0:0:0:0:0:0:0:1', 'loopback'],
    ['::127.0.0.1', 'an embedded IPv4 address'],
    ['::ffff:127.0.0.1', 'an embedded IPv4 address'],
    ['::ffff:7f00:1', 'an embedded IPv4 address'],
    ['::ffff:8.8.8.8', 'an embedded IPv4 address'],
    ['::ffff:0:127.0.0.1', 'an embedded IPv4 address'],
    ['64:ff9b::127.0.0.1', 'loopback'],
    ['64:ff9b::10.0.0.1', 'private'],
    ['64:ff9b::a9fe:a9fe', 'link-local'],
    ['64:ff9b:1::1', 'an embedded IPv4 address'],
    ['100::1', 'reserved'],
    ['2001::1', 'an embedded IPv4 address'],
    ['2001:0:7f00:1::', 'an embedded IPv4 address'],
    ['2001:2::1', 'benchmarking'],
    ['2001:20::1', 'reserved'],
    ['2001:db8::1', 'documentation'],
    ['2002:7f00:1::', 'an embedded IPv4 address'],
    ['2002:a00:1::1', 'an embedded IPv4 address'],
    ['3fff::1', 'documentation'],
    ['4000::1', 'reserved'],
    ['5f00::1', 'reserved'],
    ['fc00::1', 'unique local'],
    ['fd00:ec2::254', 'unique local'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local'],
    ['fec0::1', 'link-local'],
    ['ff02::1', 'multicast'],
    ['not an address', 'no address'],
    ['', 'no address'],
  ])('%s is not public: %s', (address, kind) => {
    expect(notPublicKind(address)).toBe(kind)
  })

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:80b::200e',
    '64:ff9b::8.8.8.8',
  ])('%s is public, as a control', (address) => {
    expect(notPublicKind(address)).toBeUndefined()
  })
})

/** Each leads to an address that is not public, in any notation. */
const FORMS = [
  'https://127.0.0.1/',
  'https://127.0.0.1:8443/hook',
  'https://127.1/',
  'https://127.0.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.1/',
  'https://0x7F.0x0.0x0.0x1/',
  'https://017700000001/',
  'https://0177.0.0.1/',
  'https://0177.0.0.01/',
  'https://127.0.0.1./',
  'https://%31%32%37.0.0.1/',
  'https://１２７.0.0.1/',
  'https://①②⑦.⓪.⓪.①/',
  'https://127。0。0。1/',
  'https://0/',
  'https://0.0.0.0/',
  'https://10.1.2.3/',
  'https://167772161/',
  'https://172.16.0.1/',
  'https://192.168.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://2852039166/',
  'https://100.100.100.200/',
  'https://[::]/',
  'https://[::1]/',
  'https://[0000:0000:0000:0000:0000:0000:0000:0001]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::ffff:a9fe:a9fe]/',
  'https://[::127.0.0.1]/',
  'https://[64:ff9b::127.0.0.1]/',
  'https://[64:ff9b::a00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:0:1:2:3:4:80ff:fffe]/',
  'https://[fe80::1]/',
  'https://[fd00:ec2::254]/',
  'https://[ff02::1]/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://hooks.localhost/',
  'https://redis/',
  'https://db.internal/',
  'https://printer.local/',
  'https://metadata.google.internal/',
]

/** These are never allowed, wherever they are. */
const NO_TARGETS = [
  '',
  'hook',
  '//example.com/hook',
  'ftp://example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'https://',
  'https://[fe80::1%25eth0]/',
  'https://256.1.1.1/',
  'https://user:password@example.com/',
  'https://user@example.com/',
]

/** These are allowed only if the operator says so. */
const PLAIN = ['http://example.com/', 'https://example.com:22/', 'https://example.com:25/']

describe('a target', () => {
  const strict = endpointClient({ allowPrivate: false, resolve: async () => ['93.184.215.14'] })
  const lax = endpointClient({ allowPrivate: true, resolve: async () => ['93.184.215.14'] })

  it.each([...FORMS, ...NO_TARGETS, ...PLAIN])(
    '%s is refused, and gets no request',
    async (url) => {
      expect(await strict.faultOf(url)).toMatch(/^must /)
      const post = { url, headers: {}, body: '{}' }
      const answer = await strict.post(post, AbortSignal.timeout(5_000))
      expect(answer).toEqual({ kind: 'forbidden', detail: await strict.faultOf(url) })
    },
  )

  it.each([...FORMS, ...PLAIN])(
    '%s is allowed by the setting that its refusal names',
    async (url) => {
      expect(await strict.faultOf(url)).toContain('WEBHOOK_ALLOW_PRIVATE=true')
      expect(await lax.faultOf(url)).toBeUndefined()
    },
  )

  it.each(NO_TARGETS)('%s is not allowed even then', async (url) => {
    expect(await lax.faultOf(url)).toMatch(/^must /)
    expect(await strict.faultOf(url)).not.toContain('WEBHOOK_ALLOW_PRIVATE')
  })

  it.each([
    'https://example.com/hook?a=b',
    'https://EXAMPLE.com:443/',
    'https://example.com:8443/',
    'https://xn--bcher-kva.example.com/',
    'https://93.184.215.14/',
    'https://[2606:4700:4700::1111]/',
    'https://local.example.com/',
  ])('%s is allowed, as a control', async (url) => {
    expect(await strict.faultOf(url)).toBeUndefined()
  })
})
