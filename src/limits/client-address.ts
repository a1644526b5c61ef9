// The address by which failed sign-ins are counted. A client with one IPv6 address usually has 2^64
// of them, so all of these count as one.

import { isIPv4, isIPv6 } from 'node:net'

/** Some proxies add the port. */
const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/

const MAPPED_GROUPS = '0:0:0:0:0:ffff'

/**
 * Text that is not an address counts as empty; a proxy that is trusted too far may send any text. A
 * client that has gone away has no address, whatever Fastify's types say.
 */
export function clientAddress(text: string | undefined): string {
  if (text === undefined) return 'unknown'
  const [, inBrackets, beforePort] = WITH_PORT.exec(text) ?? []
  const [address = ''] = (inBrackets ?? beforePort ?? text).split('%')
  if (isIPv4(address)) return address
  if (!isIPv6(address)) return 'unknown'
  const groups = groupsOf(address)
  const isMapped = groups.slice(0, 6).join(':') === MAPPED_GROUPS
  return isMapped ? ipv4Of(groups.slice(6)) : `${groups.slice(0, 4).join(':')}::/64`
}

/** All eight groups, each in its shortest form. */
function groupsOf(address: string): readonly string[] {
  const shortest = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = '', tail = ''] = shortest.split('::')
  const [before, after] = [head, tail].map((part) => (part === '' ? [] : part.split(':')))
  const known = [...(before ?? []), ...(after ?? [])]
  const zeros = Array.from({ length: 8 - known.length }, () => '0')
  return [...(before ?? []), ...zeros, ...(after ?? [])]
}

function ipv4Of(groups: readonly string[]): string {
  const numbers = groups.map((group) => Number.parseInt(group, 16))
  return numbers.flatMap((number) => [number >> 8, number & 255]).join('.')
}
