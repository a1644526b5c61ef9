import { expect, it } from 'vitest'
import { clientAddress } from '../../src/limits/client-address.ts'

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['203.0.113.9:52133', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:cb00:7109', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:0002::', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', 'unknown'],
  ['unknown', 'unknown'],
  [undefined, 'unknown'],
  ['203.0.113.999', 'unknown'],
  ['2001:db8:1:2:3:4:5:6:7', 'unknown'],
  ['x'.repeat(100_000), 'unknown'],
])('counts a failed sign-in from %s under %s', (said, address) => {
  expect(clientAddress(said)).toBe(address)
})
