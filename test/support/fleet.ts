// Several API servers and workers with the same stores, each of which can be renewed: signalled to
// end, awaited, and followed by another.

import type { ChildOrder } from '../chaos/child.ts'
import type { FaultRates } from '../chaos/fault-rates.ts'
import { freePort } from '../chaos/proxies.ts'
import type { Balancer } from './balancer.ts'
import { type ProcessEnd, type ServiceProcess, startServiceProcess } from './service-process.ts'

export interface Fleet extends AsyncDisposable {
  readonly addresses: readonly string[]
  /** One after the other; each serves again before the next gets the signal to end. */
  renewApis(balancer: Balancer): Promise<readonly Ending[]>
  renewWorkers(): Promise<readonly Ending[]>
  /** The log of all of them so far. */
  log(): string
}

interface Ending extends ProcessEnd {
  readonly name: string
}

export interface FleetNeeds {
  readonly environment: Readonly<Record<string, string>>
  readonly apis: number
  readonly workers: number
  readonly timings: NonNullable<ChildOrder['timings']>
  readonly faultRates: FaultRates
}

/** Resolves when all of them run. */
export async function openFleet(needs: FleetNeeds): Promise<Fleet> {
  const ports: number[] = []
  while (ports.length < needs.apis) ports.push(await freePort())
  const started: ServiceProcess[] = []

  function start(role: 'api' | 'worker', which: number): ServiceProcess {
    const { timings, faultRates } = needs
    const environment = { ...needs.environment, PORT: String(role === 'api' ? which : 0) }
    const name = `${role} ${which}`
    const part = startServiceProcess({ name, role, environment, timings, faultRates })
    started.push(part)
    return part
  }

  async function renew(
    part: ServiceProcess,
    role: 'api' | 'worker',
    which: number,
  ): Promise<Ending> {
    const end = await part.end()
    await start(role, which).ready
    return { name: part.name, ...end }
  }

  const apis: { readonly port: number; readonly part: ServiceProcess }[] = []
  for (const port of ports) {
    apis.push({ port, part: start('api', port) })
    // The first one makes the team and its key, so that the others need not wait for that.
    await apis[0]?.part.ready
  }
  const workers = Array.from({ length: needs.workers }, (_, i) => start('worker', i))
  await Promise.all(started.map(({ ready }) => ready))
  return {
    addresses: ports.map(addressOf),
    async renewApis(balancer) {
      const endings: Ending[] = []
      for (const { port, part } of apis) {
        endings.push(await renew(part, 'api', port))
        await balancer.isIn(addressOf(port))
      }
      return endings
    },
    async renewWorkers() {
      const endings: Ending[] = []
      for (const [i, part] of workers.entries()) endings.push(await renew(part, 'worker', i))
      return endings
    },
    log: () => started.map((part) => part.log()).join(''),
    async [Symbol.asyncDispose]() {
      await Promise.all(started.map((part) => part[Symbol.asyncDispose]()))
    },
  }
}

function addressOf(port: number): string {
  return `http://127.0.0.1:${port}`
}
