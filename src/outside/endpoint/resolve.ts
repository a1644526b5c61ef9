// Resolves host names.

import { lookup, Resolver } from 'node:dns/promises'
import { isIPv6 } from 'node:net'

/**
 * Returns the addresses of a name. Throws an error with a code if it has none or cannot be
 * resolved.
 */
export type Resolve = (name: string) => Promise<readonly string[]>

/** As the system resolves names, including the operator's own ones. */
export const systemResolve: Resolve = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address)

const QUERY_LIMITS = { timeout: 2_000, tries: 2 }

/** These codes mean that the name has no address, not that no server answered. */
const NONE: ReadonlySet<string> = new Set(['ENODATA', 'ENOTFOUND'])

/**
 * As public name servers resolve names. The system's own resolver occupies one of four threads
 * until a name server answers. Four that never do would block everybody's access to the database.
 */
export function publicResolve(nameServers?: readonly string[]): Resolve {
  let resolver = openResolver(nameServers)
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (found.length > 0) return found
    const errors = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [answer.reason] : [],
    )
    const trouble = errors.find((error) => !NONE.has(error.code))
    // The host may have moved to another network, with other name servers.
    if (trouble !== undefined) resolver = openResolver(nameServers)
    throw trouble ?? errors[0] ?? Object.assign(new Error('no address'), { code: 'ENODATA' })
  }
}

/** Uses the system's name servers if no others are given. */
function openResolver(nameServers: readonly string[] | undefined): Resolver {
  const resolver = new Resolver(QUERY_LIMITS)
  if (nameServers !== undefined) resolver.setServers(nameServers)
  return resolver
}

/** Requests for one name at the same moment share one look-up. */
export function sharing(resolve: Resolve): Resolve {
  const underWay = new Map<string, Promise<readonly string[]>>()
  return (host) => {
    const before = underWay.get(host)
    if (before !== undefined) return before
    const asked = resolve(host)
      .then(sorted)
      .finally(() => underWay.delete(host))
    underWay.set(host, asked)
    return asked
  }
}

/** Name servers change the order. IPv4 comes first, because it works wherever IPv6 does. */
function sorted(addresses: readonly string[]): readonly string[] {
  return addresses.toSorted(
    (one, other) => Number(isIPv6(one)) - Number(isIPv6(other)) || (one < other ? -1 : 1),
  )
}
