// Resolves host names.

import { lookup, Resolver } from 'node:dns/promises'
import { isIPv6 } from 'node:net'

/** Where a name is; throws with a code where it is nowhere, or nobody knows. */
export type Resolve = (name: string) => Promise<readonly string[]>

/** As the system sees it: the operator's own names are meant as well. */
export const systemResolve: Resolve = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address)

const ASKING = { timeout: 2_000, tries: 2 }

/** What means that there is no such address, not that nobody said. */
const NONE: ReadonlySet<string> = new Set(['ENODATA', 'ENOTFOUND'])

/**
 * As the public sees it. The system's own way of asking holds one of four threads until a name
 * server answers, and four that never do would keep everybody else from the database.
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

/** The system's own name servers, where no others are given. */
function openResolver(nameServers: readonly string[] | undefined): Resolver {
  const resolver = new Resolver(ASKING)
  if (nameServers !== undefined) resolver.setServers(nameServers)
  return resolver
}

/** Who asks for the same name at the same moment asks together. */
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

/** Name servers turn the order round; IPv4 comes first, because it is there wherever IPv6 is. */
function sorted(addresses: readonly string[]): readonly string[] {
  return addresses.toSorted(
    (one, other) => Number(isIPv6(one)) - Number(isIPv6(other)) || (one < other ? -1 : 1),
  )
}
