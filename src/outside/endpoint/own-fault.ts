// Decides whether this service or the endpoint caused a missing answer. A lack of resources on this
// machine is not the endpoint's fault.

import type { Listening } from './lag-meter.ts'

/** Missing files, sockets, memory, ports or network on this machine, and closed pools. */
const OURS: ReadonlySet<string> = new Set([
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
  'EADDRNOTAVAIL',
  'ENETDOWN',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
])

/** The resolver could not ask its name servers; the codes are those of sockets. */
const OURS_IN_NAMING: ReadonlySet<string> = new Set([...OURS, 'ECONNREFUSED', 'ECANCELLED'])

/** Other codes for a timeout. */
const OUT_OF_TIME: ReadonlySet<string> = new Set(['ETIMEOUT', 'UND_ERR_CONNECT_TIMEOUT'])

/**
 * A share of the time limit: a process that could not read for longer than this gave the other side
 * too little time.
 */
const DEAF_SHARE = 1 / 3

/** Undefined if the fault is not ours. `code` is undefined if the time ran out. */
export function ownFault(code: string | undefined, attempt: EndpointAttempt): string | undefined {
  if (code === undefined || OUT_OF_TIME.has(code)) {
    return isDeaf(attempt) ? 'the service was too busy to listen' : undefined
  }
  return OURS.has(code) ? `the service could not ask: ${code}` : undefined
}

export function ownFaultInNaming(
  code: string | undefined,
  attempt: EndpointAttempt,
): string | undefined {
  if (code !== undefined && OURS_IN_NAMING.has(code)) return `the service could not ask: ${code}`
  return ownFault(code, attempt)
}

export interface EndpointAttempt {
  readonly startedMs: number
  readonly listening: Listening
}

function isDeaf({ startedMs, listening }: EndpointAttempt): boolean {
  return listening.deafMs() > (performance.now() - startedMs) * DEAF_SHARE
}
