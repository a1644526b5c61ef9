// The form of an endpoint's address, before its host is looked up.

import { expect, it } from 'vitest'
import { targetFormFault } from '../../src/webhooks/check-target.ts'

const LONG = 'must have a host name of at most 253 characters, and 63 between two dots'

const label = (length: number) => 'a'.repeat(length)
/** Four labels of 62 characters and their dots, and one more label. */
const host = (length: number) => `${`${label(62)}.`.repeat(4)}${label(length - 252)}`

it.each([
  [`https://${label(63)}.example`, undefined],
  [`https://${label(64)}.example`, LONG],
  [`https://${label(64)}.example:8443/in?x=1`, LONG],
  [`https://${host(253)}/in`, undefined],
  [`https://${host(253)}./in`, undefined],
  [`https://${host(254)}/in`, LONG],
  // 16 characters, of which DNS has 64 and more.
  [`https://${'鋪'.repeat(16)}${label(50)}.example`, LONG],
  ['http://[2001:db8::1]:8080/in', undefined],
])('of %s the fault is %s', (address, fault) => {
  expect(targetFormFault(address)).toBe(fault)
})
