// Posts events to the endpoints of merchants, and only there. Each post first resolves the host
// name. All of its addresses must be public, and the connection goes to one of them, even if the
// name changes a moment later. A redirect is an answer like any other.

import { isIP } from 'node:net'
import { SECOND } from '../../core/time-units.ts'
import { type Clock, realClock } from '../clock.ts'
import { exchange } from './exchange.ts'
import { LagMeter } from './lag-meter.ts'
import { type EndpointAttempt, ownFaultInNaming } from './own-fault.ts'
import { Pools } from './pools.ts'
import type { EndpointClient, Post, PostAnswer } from './port.ts'
import { notPublicKind } from './public-address.ts'
import { publicResolve, type Resolve, sharing, systemResolve } from './resolve.ts'
import { readTarget, type Target, UNLESS_ALLOWED } from './target.ts'

export interface EndpointRules {
  /** True if http and private addresses are allowed. */
  readonly allowPrivate: boolean
  /** Replaces the name servers, in tests. */
  readonly resolve?: Resolve
  /** Certificates trusted instead of the platform's own list. */
  readonly ca?: string | undefined
  readonly clock?: Clock
}

/**
 * A person waits for this check, and nothing is lost without it: each delivery resolves the name
 * again.
 */
const NAMING_MS = 2 * SECOND

type ResolvedTarget =
  | { readonly kind: 'at'; readonly target: Target; readonly addresses: readonly string[] }
  | { readonly kind: 'forbidden'; readonly detail: string }
  | { readonly kind: 'nowhere'; readonly code: string | undefined }

export function endpointClient(rules: EndpointRules): EndpointClient {
  const { allowPrivate, clock = realClock } = rules
  const addressOf = sharing(rules.resolve ?? (allowPrivate ? systemResolve : publicResolve()))
  const pools = new Pools(rules.ca)
  const lag = new LagMeter()

  // Loaded by the first post, not by each command.
  let loaded: Promise<typeof import('undici')> | undefined

  async function addressesOf({ host }: Target, signal: AbortSignal): Promise<readonly string[]> {
    return isIP(host) === 0 ? before(signal, addressOf(host)) : [host]
  }

  async function resolveTarget(url: string, signal: AbortSignal): Promise<ResolvedTarget> {
    const reading = readTarget(url, allowPrivate)
    if (reading.kind === 'fault') return { kind: 'forbidden', detail: reading.fault }
    const { target } = reading
    const addresses = await addressesOf(target, signal).catch(nowhere)
    if ('kind' in addresses) return addresses
    const fault = allowPrivate ? undefined : faultOfAddresses(addresses)
    if (fault !== undefined) return { kind: 'forbidden', detail: fault }
    return { kind: 'at', target, addresses }
  }

  async function ask(
    post: Post,
    signal: AbortSignal,
    attempt: EndpointAttempt,
  ): Promise<PostAnswer> {
    const resolved = await resolveTarget(post.url, signal)
    if (resolved.kind === 'forbidden') return resolved
    if (resolved.kind === 'nowhere') return withoutAddress(resolved.code, attempt)
    const { target, addresses } = resolved
    loaded ??= import('undici')
    const pool = pools.of(await loaded, target.origin, addresses)
    return exchange(pool, { path: target.path, post, signal, clock, attempt })
  }

  return {
    async post(post, signal) {
      const listening = lag.listen()
      try {
        return await ask(post, signal, { startedMs: performance.now(), listening })
      } finally {
        listening.end()
      }
    },
    async faultOf(url) {
      const resolved = await resolveTarget(url, AbortSignal.timeout(NAMING_MS))
      // A name that does not exist yet is accepted: until it does, deliveries fail.
      return resolved.kind === 'forbidden' ? resolved.detail : undefined
    },
    close: () => pools.close(),
  }
}

/** One address that is not public is enough, because a connection may use any of them. */
function faultOfAddresses(addresses: readonly string[]): string | undefined {
  const kind = addresses.map(notPublicKind).find((one) => one !== undefined)
  // It does not say which address: the operator's network is not the merchant's business.
  if (kind === undefined) return undefined
  return `must lead to the public internet, not to another address (${kind}), ${UNLESS_ALLOWED}`
}

function nowhere(error: unknown): ResolvedTarget & { readonly kind: 'nowhere' } {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  return { kind: 'nowhere', code }
}

function withoutAddress(code: string | undefined, attempt: EndpointAttempt): PostAnswer {
  const own = ownFaultInNaming(code, attempt)
  if (own !== undefined) return { kind: 'own_fault', detail: own }
  const detail = `host name not found (DNS): ${code ?? 'no answer in time'}`
  return { kind: 'silent', detail, isReached: false }
}

/** Late work continues, and its result is ignored. */
async function before<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let stop = () => {}
  const late = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new Error('late'))
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
  try {
    return await Promise.race([work, late])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
