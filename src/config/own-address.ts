// How the service is reached from outside, where nobody has set it.

import { isIPv6 } from 'node:net'

/**
 * An address to listen on that means "all" is nowhere to go; the same machine reaches it as
 * localhost.
 */
export function ownAddress(host: string, port: number): string {
  const isAll = host === '0.0.0.0' || host === '::'
  const name = isIPv6(host) ? `[${host}]` : host
  return `http://${isAll ? 'localhost' : name}:${port}`
}
