// How a worker speaks with a gateway: by the name on the row, for a bounded time, and taking
// silence for an answer.

import type { Gateway } from '../outside/gateway/port.ts'
import type { World } from '../world.ts'

export function gatewayNamed(world: World, name: string | null): Gateway {
  const gateway = world.gateways.find((one) => one.name === name)
  if (gateway === undefined) throw new Error(`no gateway is named ${name}`)
  return gateway
}

/**
 * Whatever the gateway throws, and whatever it does after the time is up or the job was lost, is
 * silence: it may have been done.
 */
export async function orSilence<A>(
  world: World,
  signal: AbortSignal,
  ask: (limit: AbortSignal) => Promise<A>,
): Promise<A | { readonly kind: 'silent' }> {
  const limit = new AbortController()
  const end = () => limit.abort()
  const timeUp = setTimeout(end, world.timings.gatewayTimeoutMs)
  signal.addEventListener('abort', end)
  try {
    return await Promise.race([ask(limit.signal), abortionOf(limit.signal)])
  } catch (error) {
    world.log.warn({ err: error }, 'the gateway was silent')
    return { kind: 'silent' }
  } finally {
    clearTimeout(timeUp)
    signal.removeEventListener('abort', end)
  }
}

function abortionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
