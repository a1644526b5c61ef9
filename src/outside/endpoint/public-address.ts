// Decides which addresses belong to the public internet. Other addresses may be the operator's own
// machines, which a merchant must not reach through this service.

import { BlockList, type IPVersion, isIP } from 'node:net'

type Range = readonly [net: string, prefix: number]

/** From the registries of special-purpose addresses (RFC 6890), and from the habits of clouds. */
const NOT_PUBLIC_4: Readonly<Record<string, readonly Range[]>> = {
  unspecified: [['0.0.0.0', 8]],
  loopback: [['127.0.0.0', 8]],
  private: [
    ['10.0.0.0', 8],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
  ],
  'shared by a carrier': [['100.64.0.0', 10]],
  'link-local': [['169.254.0.0', 16]],
  // Azure serves virtual machines at this address, in the middle of public ones.
  "a cloud's own": [['168.63.129.16', 32]],
  documentation: [
    ['192.0.2.0', 24],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
  ],
  benchmarking: [['198.18.0.0', 15]],
  multicast: [['224.0.0.0', 4]],
  reserved: [
    ['192.0.0.0', 24],
    ['192.88.99.0', 24],
    ['240.0.0.0', 4],
  ],
}

const NOT_PUBLIC_6: Readonly<Record<string, readonly Range[]>> = {
  unspecified: [['::', 128]],
  loopback: [['::1', 128]],
  'unique local': [['fc00::', 7]],
  'link-local': [
    ['fe80::', 10],
    ['fec0::', 10],
  ],
  documentation: [
    ['2001:db8::', 32],
    ['3fff::', 20],
  ],
  benchmarking: [['2001:2::', 48]],
  multicast: [['ff00::', 8]],
  // No endpoint needs an embedded IPv4 address.
  'an embedded IPv4 address': [
    ['::ffff:0:0', 96],
    ['::', 96],
    ['::ffff:0:0:0', 96],
    ['64:ff9b:1::', 48],
    ['2001::', 32],
    ['2002::', 16],
  ],
  reserved: [['2001::', 23]],
}

/** Networks without IPv4 map public IPv4 addresses to this prefix. */
const NAT64 = '64:ff9b::'

const PUBLIC_6: readonly Range[] = [
  ['2000::', 3],
  [NAT64, 96],
]

interface Kind {
  readonly kind: string
  readonly ranges: readonly Range[]
}

// One list for each family: a list of both would take an IPv4 address for an embedded one.
const kinds4 = kindsOf(NOT_PUBLIC_4)
const kinds6 = [...kindsOf(NOT_PUBLIC_6), ...kinds4.map(behindNat64)]
const TABLES = {
  4: { type: 'ipv4', ...tableOf(kinds4, 'ipv4') },
  6: { type: 'ipv6', ...tableOf(kinds6, 'ipv6') },
} as const
const public6 = listOf(PUBLIC_6, 'ipv6')

/** The kind of an address that is not public. Undefined for a public address. */
export function notPublicKind(address: string): string | undefined {
  const family = isIP(address)
  if (family !== 4 && family !== 6) return 'no address'
  const { type, all, each } = TABLES[family]
  if (all.check(address, type)) return each.find(({ list }) => list.check(address, type))?.kind
  return family === 4 || public6.check(address, type) ? undefined : 'reserved'
}

function kindsOf(table: Readonly<Record<string, readonly Range[]>>): readonly Kind[] {
  return Object.entries(table).map(([kind, ranges]) => ({ kind, ranges }))
}

function behindNat64({ kind, ranges }: Kind): Kind {
  return { kind, ranges: ranges.map(([net, prefix]) => [`${NAT64}${net}`, 96 + prefix]) }
}

/** One list of all kinds, because nearly every address passes it. */
function tableOf(kinds: readonly Kind[], type: IPVersion) {
  const each = kinds.map(({ kind, ranges }) => ({ kind, list: listOf(ranges, type) }))
  const all = listOf(
    kinds.flatMap(({ ranges }) => ranges),
    type,
  )
  return { each, all }
}

function listOf(ranges: readonly Range[], type: IPVersion): BlockList {
  const list = new BlockList()
  for (const [net, prefix] of ranges) list.addSubnet(net, prefix, type)
  return list
}
