// The only place that decides which gateway an account uses.

import { Refusal } from '../../core/errors.ts'
import type { Gateway } from './port.ts'

const noGateway = () => new Refusal('no_live_gateway')

interface OfMode {
  readonly mode: 'sandbox' | 'live'
}

export class Gateways {
  readonly all: readonly Gateway[]

  constructor(all: readonly Gateway[]) {
    this.all = all
  }

  /** For new payments. Undefined if no gateway serves such accounts yet. */
  of({ mode }: OfMode): Gateway | undefined {
    return this.all.find(({ name }) => (name === 'sandbox') === (mode === 'sandbox'))
  }

  require(account: OfMode): Gateway {
    const gateway = this.of(account)
    if (gateway === undefined) throw noGateway()
    return gateway
  }

  /** Why the account's payments are refused. Undefined if it has a gateway. */
  refusalOf(account: OfMode): Refusal | undefined {
    return this.of(account) === undefined ? noGateway() : undefined
  }

  /** A payment stays with the gateway where it began: its row has the name. */
  named(name: string | null): Gateway {
    const gateway = this.all.find((one) => one.name === name)
    if (gateway === undefined) throw new Error(`no gateway is named ${name}`)
    return gateway
  }
}
