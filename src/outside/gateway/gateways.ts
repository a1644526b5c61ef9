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

  /** For what is new; undefined where nobody charges for such accounts yet. */
  of({ mode }: OfMode): Gateway | undefined {
    return this.all.find(({ name }) => (name === 'sandbox') === (mode === 'sandbox'))
  }

  require(account: OfMode): Gateway {
    const gateway = this.of(account)
    if (gateway === undefined) throw noGateway()
    return gateway
  }

  /** Why no payment of the account is accepted; undefined where it has a gateway. */
  refusalOf(account: OfMode): Refusal | undefined {
    return this.of(account) === undefined ? noGateway() : undefined
  }

  /** What was begun with a gateway stays with it: its row has the name. */
  named(name: string | null): Gateway {
    const gateway = this.all.find((one) => one.name === name)
    if (gateway === undefined) throw new Error(`no gateway is named ${name}`)
    return gateway
  }
}
